"""What gates say: login, consent, age, pay and country walls."""

from __future__ import annotations

from mdcrawl.verdicts.lexicon import concept

LOGIN = concept(
    en=r"(?:log|sign)[ -]?(?:in(?:to)?|on)\b|login\b|single sign-on|authentication required|members?'? (?:only|area)",
    es=r"inici(?:ar|a|e|o) (?:de )?sesión|acceder\b|accede\b|identifícate|acceso (?:a )?(?:clientes|usuarios|socios)",
    pt=r"entrar\b|entre\b na|faz(?:er|ça)? login|iniciar sessão|acesse sua conta",
    fr=r"se connecter|connecte[rz](?:[- ]vous)?|connexion\b|identifie[rz][- ]vous|s'identifier|espace (?:client"
    r"|membre)",
    it=r"acced[ie]\b|accesso\b|effettua (?:il )?login|area riservata",
    de=r"anmeld(?:en|ung)|einlog(?:gen|in)|melden sie sich an|melde dich an|mitgliederbereich",
    nl=r"inlog(?:gen)?|aanmelden|log in\b",
    ru=r"войти|войдите|вход\b|авториз",
    pl=r"zaloguj|logowani",
    tr=r"giriş yap|oturum aç|üye girişi",
    ar=r"تسجيل الدخول|سجل الدخول|تسجيل دخول",
    hi=r"लॉग ?[इि]न|साइन [इि]न",
    zh=r"登录|登錄|登入",
    ja=r"ログイン|サインイン",
    ko=r"로그인",
)
# Said to someone who stands outside; a page about logging in explains, it does not demand.
LOGIN_DEMAND = concept(
    en=r"(?:must|need to|have to|please|required to) (?:be )?(?:log(?:ged)?|sign(?:ed)?)[ -]?(?:in|on)"
    r"|(?:log|sign)[ -]?in (?:to (?:continue|view|see|access|read|proceed|your)|required|or (?:register|sign up"
    r"|create))"
    r"|forgot(?:ten)? (?:your |my )?password|no account yet|don't have an account|create an account|remember me"
    r"|enter your (?:\w+ ){0,3}(?:password|account|user|e-?mail)|members only",
    es=r"debes? (?:iniciar|estar|identific)|inicia sesión para|olvid(?:aste|ó|ado) (?:tu|su|la) contraseña"
    r"|no tienes? (?:una )?cuenta",
    pt=r"(?:precisa|deve) (?:estar|fazer|entrar)|esquece[ur]\w* (?:a |sua |minha )?senha|não tem (?:uma )?conta"
    r"|faça login para",
    fr=r"mot de passe oublié|devez (?:être|vous) (?:connect|identif)|pas (?:encore )?de compte"
    r"|connectez[- ]vous pour",
    it=r"password dimenticata|hai dimenticato|non hai un account|(?:devi|occorre) (?:accedere|effettuare)|accedi per",
    de=r"passwort vergessen|noch kein (?:\w+)?konto|müssen sie sich .{0,20}(?:anmelden|einloggen)"
    r"|(?:bitte )?(?:melden sie|melde dich|loggen sie) .{0,12}(?:an|ein)\b"
    r"|müssen (?:angemeldet|eingeloggt) sein",
    nl=r"wachtwoord vergeten|moet (?:ingelogd|inloggen)|nog geen account|log in om",
    ru=r"забыли пароль|нет аккаунта|необходимо (?:войти|авториз)|войдите,? чтобы|запомнить меня",
    pl=r"nie pamiętasz hasła|zapomnia\w+ has|musisz (?:się |być )?zalogow|zaloguj się,? aby|nie masz konta",
    tr=r"şifremi unuttum|giriş yapmalısınız|giriş yapmanız|hesabınız yok",
    ar=r"نسيت كلمة|ليس لديك حساب|يجب (?:عليك )?تسجيل|يرجى تسجيل الدخول",
    hi=r"पासवर्ड भूल|खाता नहीं|लॉग ?[इि]न कर(?:ें|ना)",
    zh=r"忘记密码|忘記密碼|[请請需](?:先|要)?登[录錄入]|没有(?:账号|帐号|账户)|登[录錄入]后",
    ja=r"パスワードを(?:お)?忘れ|ログイン(?:して(?:ください)?|が必要)|アカウントをお持ちでない",
    ko=r"비밀번호(?:를)? (?:찾기|잊)|로그인(?:이 필요|해 ?주|하세요|하셔야)|계정이 없",
)
CONSENT = concept(
    en=r"cookies?\b|consent\b|(?:your )?privacy\b|gdpr|personal data|before you continue|tracking technolog",
    es=r"privacidad|consentimiento|datos personales",
    pt=r"privacidade|consentimento|dados pessoais",
    fr=r"confidentialité|vie privée|consentement|témoins|données personnelles",
    it=r"consenso|riservatezza|dati personali",
    de=r"datenschutz|privatsphäre|zustimm|einwillig|personenbezogen",
    nl=r"toestemming|privacyvoorkeuren|persoonsgegevens",
    ru=r"конфиденциальност|согласи|файл\w* cookie|куки|персональн\w+ данн",
    pl=r"prywatnoś|zgod[ayęą]|plik\w* cookie|dan\w+ osobow",
    tr=r"gizlili|çerez|kişisel veri",
    ar=r"الخصوصية|خصوصيتك|ملفات تعريف الارتباط|الموافقة|موافقتك",
    hi=r"गोपनीयता|निजता|कुकी|सहमति",
    zh=r"隐私|隱私|同意|个人(?:数据|信息)|個人資料",
    ja=r"クッキー|プライバシー|同意|個人(?:情報|データ)",
    ko=r"쿠키|개인정보|동의",
)
# The documents themselves, which are pages.
POLICY = concept(
    en=r"(?:cookies?|privacy|data protection) (?:polic(?:y|ies)|notice|statement|declaration)",
    es=r"(?:política|aviso) de (?:cookies|privacidad)",
    pt=r"(?:política|aviso) de (?:cookies|privacidade)",
    fr=r"(?:politique|charte) (?:de |relative aux |des )?(?:cookies|confidentialité|protection)",
    it=r"(?:informativa|politica) (?:sui |sulla )?(?:cookies?|privacy)|(?:cookie|privacy) policy",
    de=r"datenschutz(?:erklärung|hinweise?|bestimmungen|richtlinie)?(?!.)|cookie-(?:richtlinie|hinweise)",
    nl=r"(?:privacy|cookie)(?:beleid|verklaring)",
    ru=r"политика (?:конфиденциальности|cookie|обработки)",
    pl=r"polityka (?:prywatności|cookies|plików)",
    tr=r"(?:gizlilik|çerez) (?:politikası|bildirimi)",
    ar=r"سياسة (?:الخصوصية|ملفات)",
    hi=r"गोपनीयता नीति|कुकी नीति",
    zh=r"(?:隐私|隱私|cookie) ?(?:政策|声明|聲明|条款)",
    ja=r"(?:プライバシー|クッキー|cookie) ?ポリシー|個人情報保護方針",
    ko=r"개인정보 ?(?:처리방침|보호정책)|쿠키 ?정책",
)
# Labels of buttons.
ACCEPT = concept(
    en=r"(?:accept|agree|allow|reject|decline|consent)\b|i (?:accept|agree)|got it|(?:only )?(?:necessary|essential)"
    r"|manage (?:options|preferences|settings|choices|cookies)|continue without",
    es=r"acept|rechaz|configurar|gestionar",
    pt=r"aceit|rejeit|recus|concord",
    fr=r"accept|refus|j'accepte|continuer sans|paramétrer|gérer (?:mes|les)",
    it=r"accett|rifiut|accons|gestisci",
    de=r"akzeptier|zustimm|einverstanden|ablehn|einwillig|alle(?:s)? (?:akzept|zulassen|erlauben|ablehn)"
    r"|nur notwendige",
    nl=r"accepte|akkoord|weiger|toestaan",
    ru=r"принять|приня|согла[сш]|отклон|разрешить",
    pl=r"akcept|zgadzam|odrzu|zezw[óo]l",
    tr=r"kabul|reddet|izin ver",
    ar=r"قبول|أقبل|موافق|أوافق|رفض|أرفض",
    hi=r"स्वीकार|सहमत|अस्वीकार",
    zh=r"同意|接受|拒绝|拒絕|允许|全部接受",
    ja=r"同意|許可|承諾|拒否|すべて受け入れ|受け入れる",
    ko=r"수락|동의|거부|허용",
)
# "142 partners" is said of advertising and nowhere else at the head of a page.
_COUNT = r"\d[\d.,\s\u202f]*"
PARTNERS = concept(
    en=_COUNT + r"(?:trusted |advertising |iab |tcf )*(?:partners?|vendors?)\b|partners? \(\d+\)|(?:our"
    r"|with) partners\b",
    es=_COUNT + r"(?:socios|proveedores|partners)\b|nuestros (?:\d+ )?socios",
    pt=_COUNT + r"(?:parceiros|fornecedores)\b|nossos (?:\d+ )?parceiros|os nossos parceiros",
    fr=_COUNT + r"partenaires\b|nos (?:\d+ )?partenaires",
    it=_COUNT + r"(?:partner|fornitori)\b|(?:nostri|i nostri) (?:\d+ )?partner",
    de=_COUNT + r"(?:partnern?|drittanbietern?|anbietern?)\b|unsere[rn]? (?:\d+ )?(?:werbe)?partner",
    nl=_COUNT + r"(?:partners|leveranciers)\b|onze (?:\d+ )?partners",
    ru=_COUNT + r"партн[её]р|наши(?:ми|х)? партн[её]р",
    pl=_COUNT + r"(?:zaufanych )?partner(?:ów|zy|ami)|nasi (?:zaufani )?partnerzy",
    tr=_COUNT + r"(?:iş )?ortağ|iş ortaklarımız",
    ar=_COUNT + r"شريك|شركاؤنا|وشركائنا",
    hi=_COUNT + r"(?:साझेदार|भागीदार)|हमारे (?:साझेदार|भागीदार)",
    zh=r"\d+ ?(?:家|个|個|位)?(?:合作伙伴|合作夥伴|供应商|供應商)|(?:我们|我們)?(?:的|及其)?合作伙伴",
    ja=r"\d+ ?(?:社の?|の)?パートナー|当社(?:および|の|と)?パートナー",
    ko=r"\d+ ?개?(?:의)? ?파트너|파트너(?:사|와)",
)
AGE = concept(
    en=r"(?:over|at least|under) (?:the age of )?(?:18|19|21)\b|(?:18|21) ?\+|(?:18|21) (?:years|or older|and (?:over"
    r"|older))"
    r"|(?:of )?legal (?:drinking |smoking )?age|age (?:verification|check|gate|restricted|restriction|confirmation"
    r"|required)"
    r"|(?:verify|confirm|enter) your age|how old are you|date of birth|adults? only|adult content|year (?:were you"
    r"|you were) born",
    es=r"mayor(?:es)? de (?:18|edad)|fecha de nacimiento|verific\w+ (?:de |tu |su |la )?edad|(?:18|21) años",
    pt=r"maior(?:es)? de (?:18|idade)|data de nascimento|verific\w+ (?:de |a |sua )?idade|(?:18|21) anos",
    fr=r"plus de (?:18|21) ans|(?:18|21) ans|majeure?s?\b|date de naissance|vérif\w+ (?:de )?(?:l'|votre )?âge"
    r"|contrôle d'âge",
    it=r"maggiorenn|(?:18|21) anni|data di nascita|verific\w+ (?:dell'|l'|la tua )?età|maggiore età",
    de=r"(?:mindestens|über|ab|schon) (?:18|21|16)\b|(?:18|21|16) jahre|volljährig|alters(?:prüfung|verifikation"
    r"|freigabe|kontrolle|abfrage|nachweis|beschränkung)|geburtsdatum|wie alt",
    nl=r"(?:18|21) jaar|leeftijd|geboortedatum|meerderjarig",
    ru=r"(?:старше|больше|исполнилось) (?:18|21)|(?:18|21) (?:лет|год)|возраст|дат\w+ рождения|совершеннолет|18\+",
    pl=r"(?:18|21) lat|pełnoletni|dat[aęy] urodzenia|weryfikacj\w+ wieku|potwierd\w+ wiek",
    tr=r"(?:18|21) yaş|yaş (?:doğrulama|kontrol|sınır)|doğum tarih|yaşınız|reşit",
    ar=r"(?:18|21|١٨|٢١) ?(?:عام|سن|سنة)|عمرك|العمر القانوني|التحقق من العمر|تاريخ (?:الميلاد|ميلادك)",
    hi=r"(?:18|21|१८) (?:वर्ष|साल)|आयु|जन्म ?तिथि|वयस्क",
    zh=r"(?:年满|已满|未满|年滿|已滿|未滿) ?(?:18|20|十八)|(?:18|20|十八) ?(?:周)?[岁歲]"
    r"|年[龄齡](?:验证|确认|驗證|確認|限制)|出生日期|成年人?",
    ja=r"(?:18|20|２０|１８)歳(?:以上|未満)|年齢(?:確認|認証|制限)|生年月日|成人",
    ko=r"(?:만 ?)?(?:18|19)세|성인 ?(?:인증|콘텐츠)?|(?:연령|나이) ?(?:확인|인증|제한)|생년월일",
)
SUBSCRIBE = concept(
    any=r"(?:register|sign up|create (?:a|your) (?:free )?account)(?: now)?(?: for free)? (?:to|and) (?:\w+ )?(?:keep"
    r"|read|continue|unlock|access|view)",
    en=r"subscribe (?:now )?(?:to|for|and) (?:\w+ )?(?:read|continue|keep|get|unlock|the full|full|access|unlimited)"
    r"|already (?:a )?(?:subscriber|subscribed|a member)|(?:for|to) (?:our )?(?:paying |paid )?(?:subscribers"
    r"|members)(?: only)?|(?:subscribers?|members?)[- ]only"
    r"|(?:to )?(?:continue|keep) reading|unlimited (?:digital )?access|read the (?:full|rest of th(?:e|is)) (?:story"
    r"|article|post)"
    r"|start your (?:free )?trial|(?:unlock|upgrade to read) (?:this |the )?(?:article|story|content|post)?"
    r"|(?:free articles?|articles?) (?:left|remaining)|premium (?:content|article)|exclusive (?:to"
    r"|for) (?:subscribers|members)",
    es=r"suscríb(?:ete|ase)|suscribirse|(?:solo|exclusivo|contenido) para suscriptores|ya (?:es|soy|eres) suscriptor"
    r"|(?:seguir|sigue|continuar) leyendo",
    pt=r"assine (?:já|agora|para)|(?:exclusivo|conteúdo) para assinantes|já é assinante|(?:continuar"
    r"|continue) (?:a )?lendo|continuar a ler",
    fr=r"abonnez[- ]vous|(?:réservée?|exclusif) (?:à nos |aux )abonnés|déjà abonné|(?:lire la suite|poursui\w+ (?:la "
    r"|votre )?lecture)",
    it=r"abbonati (?:per|ora|subito|e)|riservat\w+ (?:agli|ai nostri) abbonati|già abbonat|continua (?:a leggere"
    r"|la lettura)",
    de=r"(?:kostenlos )?registrieren (?:und|um)|(?:jetzt |nur )?(?:abonnieren|für abonnent|mit (?:\w+\s)?(?:abo"
    r"|plus)\b)|(?:jetzt|um"
    r"|und) (?:\w+ )?weiter(?:zu)?lesen|bereits (?:abonnent|abonniert)|exklusiv für|plus-artikel|jetzt testen"
    r"|(?:artikel|beitrag) freischalten",
    nl=r"(?:neem|word) (?:een )?(?:abonnement|abonnee)|al (?:een )?abonnee|(?:alleen|exclusief) voor abonnees"
    r"|verder lezen|lees verder",
    ru=r"(?:оформите|купите) подписк|подпишитесь,? чтобы|только (?:для|по) подпис|(?:читать|читайте) (?:далее"
    r"|полностью)|уже подписан",
    pl=r"(?:wykup|kup) (?:dostęp|subskrypcj|prenumerat)|(?:tylko )?dla (?:subskrybent|prenumerator)|czytaj dalej"
    r"|masz już (?:subskrypcj|prenumerat)",
    tr=r"abone (?:ol|misiniz)|aboneler(?:e|imiz)|okumaya devam",
    ar=r"اشترك (?:الآن|لقراءة|للوصول)|للمشتركين|مشترك بالفعل|متابعة القراءة|لمواصلة القراءة",
    hi=r"(?:सदस्यता|सब्सक्रिप्शन) (?:लें|खरीदें)|सब्सक्राइबर|आगे पढ़(?:ें|ने)|पूरा पढ़ने",
    zh=r"(?:订阅|訂閱)(?:后|以|即可|继续|會員|会员)|(?:会员|會員|付费|付費)(?:专享|可见|阅读|專享|限定|内容|後)|开通会员|继续阅读|繼續閱讀|已(?:是|订阅)",
    ja=r"(?:有料)?会員(?:限定|記事|登録)|有料(?:記事|会員|プラン)|続きを(?:読む|お読み)|購読(?:する|者|で)|残り\d+文字",
    ko=r"구독(?:하고|자|하기|하시면)|유료 ?(?:회원|기사|구독)|(?:계속|이어서) 읽|회원 ?전용",
)
GEO = concept(
    en=r"(?:not|isn't|un) ?(?:currently )?(?:available|accessible|supported|offered)(?: to (?:users|visitors"
    r"|you))?(?: \w+){0,2} (?:in|from) (?:your|this|the) (?:\w+ )?(?:country|region|location|territory|area|european"
    r"|eu\b|eea)"
    r"|(?:your|this) (?:country|region|location) (?:is|has been) (?:not supported|blocked|restricted)"
    r"|geo-?(?:restricted|blocked|restriction)"
    r"|blocked in your (?:country|region)|outside (?:of )?(?:your|the) (?:country|region|united states)"
    r"|from your (?:location|region|country)"
    r"|(?:visitors|users|readers) (?:in|from) (?:the )?(?:european|eu\b|your country)",
    es=r"no (?:está|se encuentra|es) (?:disponible|accesible) (?:en|desde) (?:tu|su|este) (?:país|región|ubicación"
    r"|zona)",
    pt=r"(?:não (?:está )?|in)(?:disponível|acessível) (?:no|em|na|a partir d[oa]) (?:seu|sua|teu|tua) (?:país|região"
    r"|localização)",
    fr=r"(?:pas|plus|in)(?: |)(?:disponible|accessible) (?:dans|depuis|pour) votre (?:pays|région|zone)",
    it=r"non (?:è )?(?:disponibile|accessibile) (?:nel tuo|nella tua|nel suo|dal tuo|dalla tua) (?:paese|regione|area"
    r"|zona)",
    de=r"in (?:deinem|ihrem|deiner|ihrer) (?:land|region) .{0,12}nicht (?:verfügbar|zugänglich|abrufbar)"
    r"|nicht (?:verfügbar |zugänglich )?in (?:deinem|ihrem|deiner|ihrer) (?:land|region)",
    nl=r"niet (?:beschikbaar|toegankelijk) in (?:je|jouw|uw) (?:land|regio)|in (?:je|jouw|uw) (?:land|regio) niet",
    ru=r"недоступ\w+ .{0,20}(?:регион|стран)|(?:регион|стран)\w* .{0,30}недоступ|не доступ\w+ .{0,20}(?:регион"
    r"|стран)",
    pl=r"niedostępn\w+ w (?:twoim|twojej|państwa|pani|tym) (?:kraju|regionie|kraj)|w (?:twoim|tym) (?:kraju"
    r"|regionie) .{0,15}niedostępn",
    tr=r"(?:ülkenizde|bölgenizde|bulunduğunuz (?:ülke|bölge)\w*).{0,30}(?:kullanılamıyor|mevcut değil|erişilemiyor)",
    ar=r"غير متا(?:ح|حة) في (?:بلدك|منطقتك|دولتك)|في (?:بلدك|منطقتك).{0,20}غير متا",
    hi=r"आपके (?:देश|क्षेत्र).{0,25}(?:उपलब्ध नहीं|अनुपलब्ध)",
    zh=r"[您你]?所在的?(?:国家|國家|地区|地區|区域|區域).{0,15}(?:不可用|无法|無法|不支持|不提供|不可|未开放|受限|不支援)|不在.{0,6}服务(?:区域|范围)",
    ja=r"(?:お住まいの|お客様の|ご利用の|この)(?:国|地域)(?:では|から|には)?.{0,15}(?:ご?利用(?:いただけ|でき)|提供(?:し|され)|視聴)\S*(?:ません|ない)",
    ko=r"(?:거주하시는 |귀하의 |해당 |현재 )?(?:국가|지역)에서(?:는)? .{0,20}(?:없습니다|불가|제공되지|지원되지)",
)
