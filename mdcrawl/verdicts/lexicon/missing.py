"""What pages say that are not there."""

from __future__ import annotations

from mdcrawl.verdicts.lexicon import concept

# The subject and what is said of it, in either order and near each other.
_SUBJECT = (
    r"(?:pages?|content|articles?|documents?|urls?|address|links?|files?|resource|topic|product|item|listing|job"
    r"|offer|event|posts?|profile|video"
    r"|p[áa]ginas?"
    r"|contenido|conteúdo|contenuto|enlace|direcci[óo]n|seite|inhalt|dokument|adresse?|artikel|contenu|страниц\w*"
    r"|документ|стран[аы]|stron[aęy]|sayfa\w*|içerik|صفحة|محتوى|पृष्ठ|पेज|页面|頁面|网页|網頁|内容|ページ|コンテンツ|페이지)"
)
_ABSENCE = (
    r"(?:(?:can(?:not|'t| not)|could(?:n't| not)|was(?:n't| not)|not|never) (?:be )?f(?:ou|i)nd|not found"
    r"|(?:does|do|did)(?:n't| not) exist|no longer (?:exists?|available|here)|is(?:n't| not) (?:here|available|there)"
    r"|went missing|is (?:missing|gone)|has been (?:re)?moved|was removed"
    r"|no (?:se )?(?:ha |pudo ser |pudimos |pudo |hemos )?(?:encontrad|encuentra|encontrar|encontró)\w*"
    r"|no existe|ya no (?:existe|está)"
    r"|não (?:foi )?(?:encontrad\w+|encontramos|existe)|non (?:è stata |è stato )?trovat[ao]|non (?:esiste|troviamo)"
    r"|introuvable|n'(?:existe (?:pas|plus)|a pas été trouvée?|est (?:pas|plus) disponible)|non trouvée?|pas trouvée?"
    r"|(?:leider )?nicht (?:mehr )?(?:gefunden|vorhanden|verfügbar)|existiert (?:\w+ ){0,4}nicht"
    r"|niet (?:meer )?(?:gevonden|beschikbaar)|bestaat (?:\w+ )?niet"
    r"|не (?:был[ао]? )?найден[ао]?|не существует|не удалось найти|удален[ао]?"
    r"|nie (?:została? )?(?:znaleziono|znalezion[ay]|odnaleziono|istnieje)|bulunamadı|mevcut değil"
    r"|غير موجود[ةه]?|لم يتم العثور|لا يمكن العثور|नहीं मिला|मौजूद नहीं"
    r"|找不到|未找到|不存在|没有找到|無法找到|无法找到|已被?删除"
    r"|見つかりません(?:でした)?|存在しません|찾을 수 없\w*|존재하지 않\w*)"
)
NOT_FOUND = concept(
    anywhere=rf"{_SUBJECT}.{{0,30}}?{_ABSENCE}|{_ABSENCE}.{{0,25}}?{_SUBJECT}"
    r"|(?:خطأ |错误 ?|錯誤 ?|エラー ?|오류 ?)404",
    any=r"(?:http |error |erreur |fehler |errore |ошибка |błąd |hata )?404\b(?: error| not found)?",
    en=r"(?<!.)(?:not found|nothing (?:was )?found(?: here)?|page missing|missing page|dead link|gone)(?!.)",
)

# The reader is told about the page that was asked for, which no article about missing pages does.
ASKED_PAGE = concept(
    en=r"(?:page|content|article|document|url|address|link|listing|product|item)(?: that)? (?:you(?:'re|'ve| are"
    r"| were| have)?"
    r"|we(?:'re)?) "
    r"(?:look(?:ed|ing) for|request(?:ed|ing)?|tried|trying|want(?:ed)?|follow(?:ed)?|seek|typed|entered)"
    r"|what you(?:'re| are| were) looking for|requested (?:url|page|document|resource|address)"
    r"|(?:this|that|the) page (?:could(?:n't| not)|can(?:'t|not)|was|is(?:n't| not)|does(?:n't| not)|no longer"
    r"|has been)",
    es=r"(?:página|enlace|contenido|dirección) (?:que|solicitad)|estás? buscando|esta página no",
    pt=r"(?:página|endereço|conteúdo) (?:que|solicitad)|(?:está|estava) procurando|esta página não",
    fr=r"(?:page|adresse|lien|contenu) (?:que vous|demandée?|recherchée?)|cette page",
    it=r"(?:pagina|indirizzo|contenuto) (?:che|richiest|cercat)|stai cercando|hai richiesto|questa pagina",
    de=r"(?:angefordert|aufgerufen|gesucht|gewünscht|angegeben|eingegeben)\w* (?:seite|adresse|url|inhalt)"
    r"|diese seite|seite, die (?:sie|du)|(?:sie|du) such",
    nl=r"(?:opgevraagde|gevraagde|gezochte) pagina|pagina die (?:u|je)|deze pagina",
    ru=r"запрашиваем|запрошенн|(?:вы|ты) ищете|которую вы|так(?:ой|ая) страниц|эт(?:ой|а) страниц",
    pl=r"której szukasz|strona, której|żądan|ta strona",
    tr=r"aradığınız|istediğiniz|bu sayfa",
    ar=r"التي تبحث|الذي تبحث|المطلوب|هذه الصفحة",
    hi=r"आप (?:जिस|जो|खोज)|यह (?:पृष्ठ|पेज)",
    zh=r"[您你](?:要|所|访问|訪問|请求|請求|查找|正在|输入|查看|寻找|尋找)|(?:该|此|這個|这个)(?:页面|頁面|网页|網頁)",
    ja=r"お探しの|ご指定の|アクセスしようとした|このページ|リクエストされた",
    ko=r"요청하신|찾으시는|찾고 계신|이 페이지",
)

# An apology, or advice on what to do about it.
ADVICE = concept(
    en=r"(?:may|might|could) have (?:been )?(?:moved|removed|renamed|deleted|changed)|check the (?:url|address"
    r"|spelling|link)"
    r"|mistyped|typed (?:the address )?(?:in)?correct|(?:go|back|return|take me) (?:back )?(?:to )?(?:the )?home"
    r"|sorry|oops|uh[- ]oh|whoops",
    es=r"lo sentimos|lo siento|vaya\b|verifi(?:que|ca)|compruebe|volver al? inicio",
    pt=r"desculpe|lamentamos|verifique|voltar (?:para|à|ao)",
    fr=r"désolée?|oups|vérifiez|retour à l'accueil",
    it=r"spiacenti|siamo spiacenti|verifica|controlla|torna alla",
    de=r"leider|entschuldig|hoppla|prüfen sie|überprüfen|zur startseite",
    nl=r"helaas|oeps|controleer|naar de homepage",
    ru=r"извините|к сожалению|проверьте|на главную",
    pl=r"przepraszamy|niestety|sprawdź|strony głównej",
    tr=r"üzgünüz|maalesef|kontrol ed|ana sayfa",
    ar=r"عذر|نأسف|تحقق من|الصفحة الرئيسية",
    hi=r"क्षमा|खेद|जाँच|मुखपृष्ठ|होम पेज",
    zh=r"抱歉|对不起|對不起|检查|檢查|返回首[页頁]",
    ja=r"申し訳|確認|トップページ",
    ko=r"죄송|확인해|홈으로",
)
