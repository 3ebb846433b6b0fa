"""What notices in place of a page say: maintenance, an empty site, an error, an old browser."""

from __future__ import annotations

from mdcrawl.verdicts.lexicon import concept

# The name of the language is the same everywhere.
ENABLE_SCRIPTS = concept(
    any=r"java ?script|js\b", zh=r"java ?script|脚本", ja=r"javascript|スクリプト", ko=r"자바스크립트"
)

LOADING = concept(
    any=r"(?<!.)\W*(?:(?:now |still )?loading|please wait|initiali[sz]ing|starting|cargando|carregando|caricamento"
    r"|chargement(?: en cours)?"
    r"|wird geladen|lädt|laden|загрузка|ładowanie|wczytywanie|yükleniyor|bezig met laden|جار[ٍي]? التحميل"
    r"|लोड हो रहा है"
    r"|加载中|載入中|正在加载|読み込み中(?:です)?"
    r"|ロード中|로딩 ?중?|불러오는 중)\W*(?:please wait|app|application|page)?\W*(?!.)",
)

MAINTENANCE = concept(
    en=r"(?:down|closed|offline|unavailable) for (?:\w+ )?(?:maintenance|repairs|an? (?:update|upgrade))"
    r"|(?:scheduled|planned|under|ongoing|undergoing|routine) maintenance|maintenance(?: mode| work| break"
    r"| in progress)?\b"
    r"|(?:we'll|we will|will) be (?:right )?back(?: soon| shortly| online)?|back (?:soon|shortly)"
    r"|(?:temporarily|briefly|currently) (?:unavailable|offline|down|closed)|site (?:is )?offline",
    es=r"(?:en|por|bajo) mantenimiento|mantenimiento\b|volve(?:re)?mos (?:pronto|en breve)",
    pt=r"(?:em|para) manutenção|manutenção\b|volta(?:re)?mos (?:já|em breve)",
    fr=r"(?:en )?maintenance\b|(?:de retour|revenons) (?:bientôt|très vite|rapidement)",
    it=r"(?:in )?manutenzione\b|tornere?mo (?:presto|a breve)",
    de=r"wartungs?(?:arbeiten|modus|pause)?\b|wegen wartung|(?:gleich|bald|in kürze) (?:wieder|zurück)",
    nl=r"onderhoud\b|(?:zo|snel) (?:weer )?terug",
    ru=r"технически\w+ (?:работ|обслужив)|на обслуживани|скоро вернемся|временно недоступ",
    pl=r"przerw\w+ techniczn|prac[ey] (?:konserwacyjn|techniczn|serwisow)|wracamy wkrótce|chwilowo niedostępn",
    tr=r"bakım (?:çalışma|modu|nedeniyle)|bakımda|birazdan döneceğiz",
    ar=r"(?:تحت |قيد )?الصيانة|صيانة|سنعود قريبا",
    hi=r"रखरखाव|जल्द (?:ही )?वापस",
    zh=r"(?:系统|系統|网站|網站)?(?:维护|維護)(?:中|升级)?|(?:系统|系統)升[级級]",
    ja=r"メンテナンス(?:中)?",
    ko=r"(?:시스템 |서버 )?점검 ?(?:중|안내)?|유지 ?보수",
)
COMING_SOON = concept(
    en=r"coming soon|under construction|(?:launching|opening) soon|(?:new )?(?:web)?site is (?:being|under|on its way"
    r"|coming)|work in progress|watch this space|stay tuned",
    es=r"próximamente|en construcción|muy pronto",
    pt=r"em (?:construção|breve)|brevemente",
    fr=r"en construction|bientôt (?:disponible|en ligne)|prochainement",
    it=r"in (?:costruzione|allestimento|arrivo)|prossimamente",
    de=r"im aufbau|in kürze|demnächst|(?:hier|neue (?:web)?seite) entsteht|baustelle",
    nl=r"in (?:aanbouw|opbouw)|binnenkort",
    ru=r"в разработке|скоро (?:открыти|здесь|запуск)|сайт (?:находится|в стадии)|скоро откро",
    pl=r"w (?:budowie|przygotowaniu)|wkrótce",
    tr=r"yapım aşamasında|çok yakında|yakında",
    ar=r"قيد الإنشاء|تحت الإنشاء|قريبا",
    hi=r"निर्माणाधीन|जल्द (?:ही )?आ रहा",
    zh=r"建[设設]中|敬[请請]期待|即[将將]上[线線]|正在建设",
    ja=r"工事中|準備中|近日(?:公開|オープン)|作成中",
    ko=r"준비 ?중|공사 ?중|곧 (?:오픈|공개)|제작 ?중",
)
PARKED = concept(
    en=r"(?:domain|website|web site)(?: name)?[^.]{0,60}?(?:is|may be|might be|could be) (?:for sale|parked"
    r"|available for (?:purchase|sale))"
    r"|(?:buy|own|get|lease) this domain|domain (?:parking|is parked|for sale|has expired|expired|registered)"
    r"|parked (?:free|domain)|related searches"
    r"|inquire about this domain|web ?page is parked|default (?:web )?(?:page|site)|welcome to (?:nginx|apache|iis)"
    r"|it works!|index of /(?!.)",
    es=r"dominio (?:está )?(?:en venta|a la venta|aparcado|disponible)|comprar? este dominio",
    pt=r"domínio (?:está )?(?:à|a) venda|compr\w+ este domínio",
    fr=r"(?:nom de )?domaine (?:est )?(?:à vendre|en vente|parqué|expiré)|achete[rz] ce domaine",
    it=r"dominio (?:è )?(?:in vendita|parcheggiato|scaduto)|acquista(?:re)? questo dominio",
    de=r"domain (?:steht |ist )?(?:zum verkauf|zu verkaufen|geparkt|abgelaufen|registriert)|domain kaufen",
    nl=r"domein(?:naam)? (?:is |staat )?(?:te koop|geparkeerd)",
    ru=r"домен\w* (?:прода[её]тся|припаркован|истек|зарегистрирован)|купить (?:этот )?домен",
    pl=r"domena (?:\S+ )?(?:jest )?(?:na sprzedaż|zaparkowana)|kup (?:tę )?domen",
    tr=r"alan adı (?:satılık|park)|bu alan adını satın",
    ar=r"(?:النطاق|الدومين|اسم النطاق) (?:معروض )?للبيع|شراء هذا النطاق",
    hi=r"डोमेन (?:बिक्री|बिकाऊ)",
    zh=r"域名.{0,8}(?:出售|转让|过期|停放|售卖)|[网網]域(?:名稱)?出售|购买(?:此|该)域名",
    ja=r"ドメイン(?:は|を|が)?.{0,10}(?:販売|売り出し|購入|パーキング|期限切れ)",
    ko=r"도메인(?:은|을|이)?.{0,10}(?:판매|매매|구매|만료)",
)
OLD_BROWSER = concept(
    en=r"(?:update|upgrade|switch|change) (?:to a newer |to a modern )?(?:your )?browser|(?:unsupported|outdated|old"
    r"|obsolete) (?:web )?browser"
    r"|browser (?:is |version is )?(?:not|no longer|isn't|un) ?(?:supported|up[- ]to[- ]date|compatible)|(?:use"
    r"|download|install) (?:a |another |the )?(?:modern|newer|supported|current|latest) (?:web )?(?:browser|version)"
    r"|(?:open|view|continue|better) in (?:the|our) app\b|(?:download|get|install) (?:the|our) (?:\w+ )?app\b",
    es=r"actuali[cz]\w+ (?:tu|su|el) navegador|navegador (?:no (?:es )?(?:compatible|soportado)|desactualizado"
    r"|obsoleto)|descarg\w+ (?:la|nuestra) (?:app|aplicación)",
    pt=r"atuali[sz]\w+ (?:o )?seu navegador|navegador (?:não (?:é )?(?:compatível|suportado)|desatualizado)"
    r"|baix\w+ (?:o )?(?:nosso )?(?:app|aplicativo)",
    fr=r"navigateur (?:n'est (?:pas|plus)|obsolète|non pris)|mett(?:ez|re) à jour votre navigateur"
    r"|télécharge\w+ (?:l'|notre )(?:app|application)",
    it=r"aggiorna (?:il )?(?:tuo )?browser|browser (?:non (?:è )?(?:supportato|compatibile)|obsoleto)|scarica (?:la "
    r"|la nostra )?app\b",
    de=r"browser (?:wird )?(?:\w+ )?nicht (?:mehr )?unterstützt|veraltete\w* browser|aktualisieren sie ihren browser"
    r"|browser aktualisieren|app (?:herunterladen|laden)",
    nl=r"verouderde browser|browser wordt niet|werk (?:je|uw) browser|download de app",
    ru=r"обновите (?:ваш )?браузер|браузер (?:не поддерживается|устарел)|скача\w+ приложение",
    pl=r"zaktualizuj (?:swoją )?przeglądark|przeglądark\w+ (?:nie jest|jest nieaktualna)|pobierz (?:naszą )?aplikacj",
    tr=r"tarayıcınız\w* (?:güncel|destek)|tarayıcı desteklenm|uygulamayı indir",
    ar=r"(?:تحديث|حدّث) (?:المتصفح|متصفحك)|متصفحك (?:غير|قديم)|تحميل التطبيق",
    hi=r"ब्राउज़र (?:अपडेट|समर्थित नहीं)|ऐप डाउनलोड",
    zh=r"浏览器(?:版本)?(?:过低|太低|过旧)|(?:升级|更新)(?:您的)?浏览器|不支持(?:您的|当前|此)?浏览器|瀏覽器(?:版本過舊|不支援)|下[载載](?:我们的)?(?:应用|APP|客户端)",
    ja=r"ブラウザ(?:ー)?(?:を(?:更新|アップデート)|は(?:サポート|対応)|のバージョン)|アプリ(?:を|で)(?:ダウンロード|開く)",
    ko=r"브라우저(?:를 (?:업데이트|업그레이드)|는 지원|가 지원)|앱(?:을)? (?:다운로드|설치)",
)
SERVER_ERROR = concept(
    en=r"(?:internal )?server error|application error|unhandled exception|\w*exception\b(?: at|:| in)|fatal error"
    r"|stack ?trace|traceback \(most recent"
    r"|something (?:went|has gone) wrong|(?:an? )?(?:unexpected |unknown |critical )?error (?:has )?occurred|oops\b"
    r"|error establishing a database connection"
    r"|bad gateway|gateway time-?out|(?:error |http )?50[0234]\b|service (?:temporarily )?unavailable"
    r"|please (?:try again|contact the (?:system |site )?administrator)"
    r"|there has been a critical error|could not connect to (?:the )?database",
    es=r"error (?:interno )?del servidor|(?:ha ocurrido|se ha producido|se produjo) un error|algo (?:salió"
    r"|ha ido) mal",
    pt=r"erro (?:interno )?(?:do|no) servidor|ocorreu um erro|algo deu errado",
    fr=r"erreur (?:interne )?du serveur|une erreur (?:est survenue|s'est produite)|quelque chose s'est mal",
    it=r"errore (?:interno )?del server|si è verificato un errore|qualcosa è andato storto",
    de=r"(?:interner )?serverfehler|(?:ein|es ist ein) (?:\w+ )?fehler .{0,12}aufgetreten|etwas ist schief",
    nl=r"(?:interne )?serverfout|er is (?:iets misgegaan|een fout)",
    ru=r"(?:внутренняя )?ошибка сервера|произошла ошибка|что-то пошло не так",
    pl=r"(?:wewnętrzny )?błąd serwera|wystąpił błąd|coś poszło nie tak",
    tr=r"sunucu hatası|bir (?:hata|şeyler) (?:oluştu|ters)",
    ar=r"خطأ (?:في الخادم|داخلي)|حدث خطأ",
    hi=r"सर्वर त्रुटि|त्रुटि हुई|कुछ गलत",
    zh=r"服务器(?:内部)?(?:错误|出错)|伺服器(?:內部)?錯誤|系[统統](?:错误|錯誤|异常|繁忙)|出错了|发生错误",
    ja=r"サーバー?(?:内部)?エラー|エラーが発生しました|問題が発生しました",
    ko=r"(?:내부 )?서버 오류|오류가 발생|문제가 발생",
)
