"""What guards say: bot checks, blocks, refusals."""

from __future__ import annotations

from mdcrawl.verdicts.lexicon import concept

# Asked of a visitor who is to prove something.
HUMAN_CHECK = concept(
    en=r"(?:verify(?:ing)?|confirm(?:ing)?|check(?:ing)?|prov(?:e|ing)|mak(?:e|ing) sure|ensur(?:e|ing)"
    r"|determin(?:e|ing)) "
    r"(?:that |if |whether )?you(?:'re| are)? (?:not )?(?:an? )?(?:real )?(?:human|ro?bot|person)"
    r"|(?:verifying|checking|validating) (?:that )?(?:your (?:browser|connection|request|device)|the site"
    r" connection|you)"
    r"|(?:i'm|i am|you're|you are) (?:not a (?:ro)?bot|human)|are you (?:a )?(?:human|robot|real)|human verification"
    r"|security (?:check(?:point)?|verification|challenge)|bot (?:check|verification|protection)|robot check"
    r"|browser (?:check|verification|integrity)|press (?:&|and) hold|attention required|client challenge"
    r"|pardon our interruption|(?:complete|solve|pass) (?:the|this|a) (?:captcha|security check|challenge|puzzle)"
    r"|type the characters you see|slide to (?:verify|complete)|verify (?:you|it's you|human)",
    es=r"(?:verifi|confirm|comprob|comprueb|demuestr|asegur)\w*.{0,30}(?:human|robot|bot\b|navegador)"
    r"|(?:no )?(?:soy|eres) un (?:robot|humano)|(?:verificación|comprobación|control) de (?:seguridad|humano"
    r"|navegador)",
    pt=r"(?:verifi|confirm|comprov)\w*.{0,30}(?:human|robô|navegador)|não (?:sou|é) um robô"
    r"|verificação (?:de segurança|humana)",
    fr=r"(?:vérifi|confirm|prouv|assur)\w*.{0,35}(?:humain|robot|navigateur)|(?:êtes|suis) (?:bien )?(?:un )?humain"
    r"|pas un robot|(?:vérification|contrôle) de sécurité",
    it=r"(?:verific|verifich|conferm|dimostr)\w*.{0,30}(?:uman|robot|browser)|non (?:sono|sei) un robot"
    r"|(?:verifica|controllo) di sicurezza",
    de=r"(?:bestätig|überprüf|sicherstell|verifizier|prüf)\w*.{0,40}(?:mensch|roboter|\bbot\b|browser)|kein roboter"
    r"|(?:mensch|roboter|browser).{0,25}(?:überprüf|verifizier)|sicherheits(?:überprüfung|prüfung|abfrage|check)"
    r"|sind sie ein (?:mensch|roboter)|browserprüfung",
    nl=r"(?:verifi|controler|bevestig)\w*.{0,30}(?:mens|robot|browser)|geen robot|beveiligingscontrole",
    ru=r"(?:подтверд|провер|убед)\w*.{0,30}(?:человек|робот|браузер)|(?:вы|я) не (?:ро)?бот|вы (?:человек|робот)"
    r"|проверк[аи] безопасности",
    pl=r"(?:potwierd|sprawdz|zweryfik|weryfik)\w*.{0,30}(?:człowiek|robot|przeglądark)|nie (?:jesteś|jestem) robotem",
    tr=r"robot olmadığı|insan olduğu|güvenlik (?:kontrol|doğrulama)|tarayıcınız (?:kontrol|doğrulan)",
    ar=r"لست روبوت|أنك إنسان|أنك لست|التحقق من (?:أن|المتصفح|الأمان)|فحص (?:أمني|المتصفح)",
    hi=r"रोबोट नहीं|मानव हैं|इंसान हैं|सुरक्षा जाँच",
    zh=r"(?:安全|人机|人機|真人|滑动|滑動|身份)(?:验证|驗證|检查|檢查|校验|检测)|(?:不是|并非)(?:机器人|機器人)"
    r"|(?:请|請)?(?:完成|进行|進行|通过)(?:下方|以下|安全)?(?:验证|驗證)|正在(?:检查|检测|验证)(?:您的)?浏览器",
    ja=r"ロボットではありません|人間(?:である|か)(?:こと)?|セキュリティ(?:チェック|確認)|ブラウザ(?:を|ー?の)(?:確認|チェック)",
    ko=r"로봇이 아닙니다|사람인지|사람임을|보안 (?:확인|검사)|브라우저를 확인",
)

# Bots are told what they did; "access denied" alone is also said of permissions.
BLOCKED = concept(
    en=r"unusual (?:traffic|activity)|suspicious (?:activity|traffic|behaviou?r)"
    r"|automated (?:access|requests?|traffic|queries|process|browsing|tools?)|you have been (?:blocked|flagged)"
    r"|(?:request|ip|access|visit|connection|browser)(?: address)? (?:is |was |has been "
    r"|were )?(?:temporarily )?blocked"
    r"|access to this page has been denied|request unsuccessful|request could not be satisfied"
    r"|web application firewall"
    r"|blocked by .{0,25}(?:security|firewall|administrator)|(?:scrap|crawl)(?:ers?|ing) (?:is|are) (?:not|blocked)"
    r"|requested url was rejected",
    es=r"tráfico (?:inusual|sospechoso)|actividad (?:inusual|sospechosa)|(?:solicitud|acceso|ip) .{0,15}bloquead",
    pt=r"tráfego (?:incomum|suspeito)|atividade (?:incomum|suspeita)|(?:acesso|ip|solicitação) .{0,15}bloquead",
    fr=r"trafic (?:inhabituel|anormal|suspect)|activité (?:inhabituelle|suspecte)|(?:accès|requête"
    r"|ip) .{0,20}bloquée?",
    it=r"traffico (?:insolito|anomalo)|attività (?:insolit|sospett)|(?:accesso|richiesta|ip) .{0,15}bloccat",
    de=r"ungewöhnliche\w* (?:datenverkehr|aktivität|zugriff|traffic)|verdächtige\w* (?:aktivität|zugriff)"
    r"|automatisierte\w* (?:anfragen|zugriffe|abfragen)|(?:anfrage|zugriff|ip-adresse|ip) .{0,25}(?:blockiert"
    r"|gesperrt)",
    nl=r"ongebruikelijk (?:verkeer|gedrag)|verdachte activiteit|(?:toegang|verzoek|ip-adres) .{0,15}geblokkeerd",
    ru=r"необычн\w+ (?:трафик|активност)|подозрительн\w+ (?:трафик|активност|запрос)|автоматическ\w+ запрос"
    r"|(?:доступ|запрос|ip).{0,25}заблокирован",
    pl=r"nietypow\w+ (?:ruch|aktywnoś)|podejrzan\w+ aktywnoś|(?:dostęp|adres ip) .{0,20}zablokowan",
    tr=r"olağan ?dışı (?:trafik|etkinlik)|şüpheli (?:trafik|etkinlik)|(?:erişim|ip).{0,20}engellen",
    ar=r"حركة (?:مرور )?غير (?:عادية|معتادة)|نشاط (?:مريب|مشبوه|غير)|تم حظر",
    hi=r"असामान्य (?:ट्रैफ़िक|गतिविधि)|ब्लॉक (?:कर|किया)",
    zh=r"异常(?:流量|访问|请求|行为)|異常(?:流量|訪問|請求)|访问(?:过于频繁|异常)|訪問過於頻繁|被(?:拦截|攔截|封禁|屏蔽)",
    ja=r"通常と異なるトラフィック|不審な(?:アクセス|アクティビティ)|アクセスが(?:制限|ブロック|遮断)",
    ko=r"비정상적인 (?:접근|트래픽|활동)|의심스러운|차단(?:되었|됐)",
)
DENIED = concept(
    en=r"(?:access|permission|request)(?: to this (?:page|site|resource))?(?: has been| is| was)? (?:denied|forbidden"
    r"|restricted|rejected)"
    r"|(?:error |http )?403\b(?: forbidden)?|forbidden\b|not authori[sz]ed|unauthori[sz]ed|(?:don't"
    r"|do not) have permission",
    es=r"acceso (?:denegado|restringido|prohibido)|no tienes? permiso",
    pt=r"acesso (?:negado|restrito|proibido)|não tem permissão",
    fr=r"accès (?:refusé|interdit|restreint)|n'(?:avez|êtes) pas (?:autorisé|la permission)",
    it=r"accesso (?:negato|vietato)|non (?:hai|sei) (?:il permesso|autorizzat)",
    de=r"zugriff (?:verweigert|nicht erlaubt|abgelehnt|verboten)|kein(?:en)? (?:zugriff|berechtigung)",
    nl=r"toegang (?:geweigerd|verboten)|geen toegang",
    ru=r"доступ (?:запрещ[её]н|ограничен|закрыт)|нет (?:доступа|прав)",
    pl=r"(?:brak|odmowa) dostępu|dostęp zabroniony",
    tr=r"erişim (?:engellendi|reddedildi|yasak)|yetkiniz yok",
    ar=r"رفض الوصول|الوصول مرفوض|ليس لديك إذن",
    hi=r"पहुँच (?:अस्वीकृत|वर्जित)|प्रवेश निषेध",
    zh=r"访问(?:被拒绝|受限|被禁止)|拒绝访问|存取被拒|拒絕存取|没有权限|無權限",
    ja=r"アクセス(?:拒否|が拒否|権限がありません|が禁止)",
    ko=r"접근(?:이)? (?:거부|권한)|액세스(?:가)? 거부|권한이 없",
)
# The number by which the operator of a firewall finds the event again.
INCIDENT = concept(
    any=r"(?:ray|incident|support|event|request|reference|ref|trace|block|case|challenge)[ _-]?(?:id|#|no\.?|number"
    r"|code)?"
    r"\s*[:#=]\s*#?(?=[\w.-]*\d)[\w.-]{5,}|reference\s+#?\d+\.[0-9a-f]+\.|support id is|incident id|reference id\b"
    r"|ray id"
    r"|your ip(?: address)?\s*(?:is|:)\s*[\da-f.:]{7,}",
)
# What guards explain themselves by; a sentence with one of these may be theirs.
GUARD_TALK = concept(
    any=r"(?:ro)?bots?\b|captcha|firewall|javascript|browser|cookies?\b|ip\b|ddos|scrap(?:er|ing)",
    en=r"humans?\b|security|automated|challenge|administrator|network|traffic|reload|(?:site |website )?owner|protect",
    es=r"human|segur|automátic|administrador|navegador|tráfico",
    pt=r"human|segur|automátic|administrador|navegador|tráfego",
    fr=r"humain|sécurit|automati|administrateur|navigateur|trafic",
    it=r"uman|sicurezza|automati|amministratore|traffico",
    de=r"mensch|roboter|sicherheit|automati|administrator|netzwerk",
    nl=r"mens|robot|beveilig|automatisch|beheerder|netwerk",
    ru=r"робот|человек|безопасност|автоматич|администратор|браузер|сет[иь]",
    pl=r"człowiek|robot|bezpieczeńst|automat|administrator|przeglądark|sieci",
    tr=r"insan|robot|güvenlik|otomatik|yönetici|tarayıcı|ağınız",
    ar=r"روبوت|إنسان|أمان|المتصفح|شبكت|تلقائي",
    hi=r"रोबोट|मानव|सुरक्षा|ब्राउज़र|नेटवर्क",
    zh=r"机器人|機器人|验证|驗證|安全|浏览器|瀏覽器|网络|網路|访问|存取",
    ja=r"ロボット|人間|セキュリティ|ブラウザ|ネットワーク|トラフィック|アクセス",
    ko=r"로봇|사람|보안|브라우저|네트워크|접근",
)
# Walls speak to the reader; a definition or a manual of walls speaks of them.
ADDRESS = concept(
    en=r"(?:you|your|you're|we|we're|our|us|please|sorry|i'm)\b",
    es=r"(?:usted|tu|tus|su|tú|nosotros|nuestr[oa]s?|por favor|eres|debes?|no soy)\b",
    pt=r"(?:você|seu|sua|nós|nosso|por favor|é|não sou)\b",
    fr=r"(?:vous|votre|vos|nous|notre|veuillez|je)\b",
    it=r"(?:tu|tuo|tua|noi|nostr[oaie]|per favore|sei|devi|non sono)\b",
    de=r"(?:sie|ihr\w*|du|dein\w*|dir|wir|uns\w*|bitte|ich)\b",
    nl=r"(?:u|uw|je|jouw|wij|we|onze?|alstublieft|ik)\b",
    ru=r"(?:вы|ваш\w*|вас|вам|мы|нам|пожалуйста|ты|я)\b",
    pl=r"(?:ty|twoj\w*|twój|państw\w*|my|nasz\w*|prosimy|proszę|jesteś|masz|musisz)\b",
    tr=r"(?:siz|sizin|lütfen|biz|bizim)\b|\w+(?:iniz|ınız|unuz|ünüz|niz|nız)\b",
    ar=r"أنت|أنك|لديك|يرجى|نحن|الرجاء|عليك|بك\b|لست",
    hi=r"आप|कृपया|हम",
    zh=r"[您你]|[请請]|我们|我們",
    ja=r"ください|お客様|あなた|当社|いただ|おりません|申し訳",
    ko=r"주세요|주십시오|귀하|당신|저희|하세요|십시오|습니다",
)
WAITING = concept(
    en=r"(?:just )?(?:a|one) moment|please (?:wait|stand by|be patient)|redirecting|you are being redirected|hold on",
    es=r"un momento|espere|por favor,? espere",
    pt=r"um momento|aguarde",
    fr=r"un instant|un moment|(?:veuillez )?patiente[rz]",
    it=r"un momento|un attimo|attendere|attendi",
    de=r"(?:nur )?einen moment|bitte (?:kurz )?warten",
    nl=r"een moment|even geduld|momentje",
    ru=r"подождите|минутку|один момент",
    pl=r"(?:proszę )?(?:czekać|zaczekać)|chwileczkę|jeszcze chwila",
    tr=r"bir dakika|lütfen bekleyin|bir saniye",
    ar=r"لحظة|يرجى الانتظار|الرجاء الانتظار",
    hi=r"कृपया प्रतीक्षा|एक क्षण",
    zh=r"请稍候|請稍候|请稍等|請稍等|稍等片刻",
    ja=r"お待ちください|少々お待ち",
    ko=r"잠시만|기다려 ?주",
)
