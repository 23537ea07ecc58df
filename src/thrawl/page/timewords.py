"""The words that people's forums write times with: months, weekdays, days ago, units, halves of the day, zones.

A word is looked up without case and accents, so `Août`, `AOUT` and `août` are one. Each word has the
roles that it can play and a value for each; a word that two languages use for different months (`listopada` is November
in Polish and October in Croatian) keeps both, and the site's other months settle it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86400
WEEK: Final = 7 * DAY
MONTH: Final = 2_629_746  # the mean Gregorian month, in seconds
YEAR: Final = 12 * MONTH

# Twelve months a line, `/` between forms of one month.
_MONTHS: Final = {
    "en": "january/jan february/feb/febr march/mar april/apr may june/jun july/jul august/aug september/sep/sept"
    " october/oct november/nov december/dec",
    "de": "januar/jan/jaenner/jänner/jän februar/feber/feb märz/maerz/mär/mrz april/apr mai juni/jun juli/jul"
    " august/aug september/sep/sept oktober/okt november/nov dezember/dez",
    "fr": "janvier/janv/jan/jnv février/févr/fév mars/mar avril/avr/av mai juin juillet/juil/jul août/aoû"
    " septembre/sept/sep octobre/oct novembre/nov décembre/déc",
    "es": "enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago"
    " septiembre/setiembre/sep/sept/set octubre/oct noviembre/nov diciembre/dic",
    "pt": "janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set"
    " outubro/out novembro/nov dezembro/dez",
    "it": "gennaio/gen/genn febbraio/feb/febbr marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago"
    " settembre/set/sett ottobre/ott novembre/nov dicembre/dic",
    "ca": "gener/gen febrer/febr març/mar abril/abr maig juny/jun juliol/jul agost/ag setembre/set octubre/oct"
    " novembre/nov desembre/des",
    "gl": "xaneiro/xan febreiro marzo abril maio xuño/xuñ xullo/xul agosto setembro outubro novembro/nov decembro/dec",
    "nl": "januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep"
    " oktober/okt november/nov december/dec",
    "pl": "styczeń/stycznia/sty luty/lutego/lut marzec/marca/mar kwiecień/kwietnia/kwi maj/maja czerwiec/czerwca/cze"
    " lipiec/lipca/lip sierpień/sierpnia/sie wrzesień/września/wrz październik/października/paź"
    " listopad/listopada/lis grudzień/grudnia/gru",
    "cs": "leden/ledna/led únor/února/úno březen/března/bře duben/dubna/dub květen/května/kvě"
    " červen/června/čer/čvn červenec/července/čvc srpen/srpna/srp září/zář říjen/října/říj"
    " listopad/listopadu/lis prosinec/prosince/pro",
    "sk": "január/januára/jan február/februára/feb marec/marca/mar apríl/apríla/apr máj/mája jún/júna júl/júla"
    " august/augusta/aug september/septembra/sep október/októbra/okt november/novembra/nov december/decembra/dec",
    "ru": "январь/января/янв февраль/февраля/фев/февр март/марта/мар апрель/апреля/апр май/мая июнь/июня/июн"
    " июль/июля/июл август/августа/авг сентябрь/сентября/сен/сент октябрь/октября/окт ноябрь/ноября/ноя/нояб"
    " декабрь/декабря/дек",
    "uk": "січень/січня/січ лютий/лютого/лют березень/березня/бер квітень/квітня/кві/квіт травень/травня/тра/трав"
    " червень/червня/чер/черв липень/липня/лип серпень/серпня/сер/серп вересень/вересня/вер/верес"
    " жовтень/жовтня/жов/жовт листопад/листопада/лис/лист грудень/грудня/гру/груд",
    "be": "студзень/студзеня люты/лютага сакавік/сакавіка красавік/красавіка май/мая чэрвень/чэрвеня ліпень/ліпеня"
    " жнівень/жніўня верасень/верасня кастрычнік/кастрычніка лістапад/лістапада снежань/снежня",
    "sv": "januari/jan februari/feb mars/mar april/apr maj juni/jun juli/jul augusti/aug september/sep/sept"
    " oktober/okt november/nov december/dec",
    "da": "januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sep/sept"
    " oktober/okt november/nov december/dec",
    "no": "januar/jan februar/feb mars/mar april/apr mai juni/jun juli/jul august/aug september/sep/sept"
    " oktober/okt november/nov desember/des",
    "is": "janúar febrúar mars apríl maí júní júlí ágúst/ágú september október/okt nóvember/nóv desember/des",
    "fi": "tammikuu/tammikuuta/tammi helmikuu/helmikuuta/helmi maaliskuu/maaliskuuta/maalis"
    " huhtikuu/huhtikuuta/huhti toukokuu/toukokuuta/touko kesäkuu/kesäkuuta/kesä heinäkuu/heinäkuuta/heinä"
    " elokuu/elokuuta/elo syyskuu/syyskuuta/syys lokakuu/lokakuuta/loka marraskuu/marraskuuta/marras"
    " joulukuu/joulukuuta/joulu",
    "et": "jaanuar/jaan veebruar/veebr märts aprill/apr mai juuni juuli august/aug september/sept oktoober/okt"
    " november/nov detsember/dets",
    "lv": "janvāris/janvārī/janv februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā"
    " jūlijs/jūlijā augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī",
    "lt": "sausis/sausio/saus vasaris/vasario/vas kovas/kovo balandis/balandžio/bal gegužė/gegužės/geg"
    " birželis/birželio/birž liepa/liepos/liep rugpjūtis/rugpjūčio/rugp rugsėjis/rugsėjo/rugs"
    " spalis/spalio/spal lapkritis/lapkričio/lapkr gruodis/gruodžio/gruod",
    "hu": "január/jan február/febr/feb március/márc/már április/ápr május/máj június/jún július/júl"
    " augusztus/aug szeptember/szept/szep október/okt november/nov december/dec",
    "ro": "ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug septembrie/sept"
    " octombrie/oct noiembrie/noi decembrie/dec",
    "tr": "ocak/oca şubat/şub mart/mar nisan/nis mayıs/mayis/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl"
    " ekim/eki kasım/kasim/kas aralık/aralik/ara",
    "el": "ιανουάριος/ιανουαρίου/ιαν φεβρουάριος/φεβρουαρίου/φεβ/φεβρ μάρτιος/μαρτίου/μαρ απρίλιος/απριλίου/απρ"
    " μάιος/μαΐου/μάι ιούνιος/ιουνίου/ιούν/ιουν ιούλιος/ιουλίου/ιούλ/ιουλ αύγουστος/αυγούστου/αυγ"
    " σεπτέμβριος/σεπτεμβρίου/σεπ/σεπτ οκτώβριος/οκτωβρίου/οκτ νοέμβριος/νοεμβρίου/νοε δεκέμβριος/δεκεμβρίου/δεκ",
    "bg": "януари/яну февруари/фев март/мар април/апр май юни/юн юли/юл август/авг септември/сеп/септ"
    " октомври/окт ноември/ное/ноем декември/дек",
    "mk": "јануари/јан февруари март април/апр мај јуни/јун јули/јул август септември октомври ноември декември",
    "hr": "siječanj/siječnja/sij veljača/veljače/velj ožujak/ožujka/ožu travanj/travnja/tra svibanj/svibnja/svi"
    " lipanj/lipnja/lip srpanj/srpnja/srp kolovoz/kolovoza/kol rujan/rujna/ruj listopad/listopada/lis"
    " studeni/studenoga/studenog/stu prosinac/prosinca/pro",
    "sr": "januar/januara/jan/јануар/јануара/јан februar/februara/feb/фебруар/фебруара/феб mart/marta/mar/март/марта"
    " april/aprila/apr/април/априла maj/maja/мај/маја jun/juna/jun/јун/јуна/јуни jul/jula/јул/јула/јули"
    " avgust/avgusta/avg/август/августа septembar/septembra/sep/септембар/септембра"
    " oktobar/oktobra/okt/октобар/октобра novembar/novembra/nov/новембар/новембра"
    " decembar/decembra/dec/децембар/децембра",
    "sl": "januar/januarja/jan februar/februarja/feb marec/marca/mar april/aprila/apr maj/maja junij/junija/jun"
    " julij/julija/jul avgust/avgusta/avg september/septembra/sep oktober/oktobra/okt november/novembra/nov"
    " december/decembra/dec",
    "id": "januari/jan februari/feb/pebruari maret/mar april/apr mei juni/jun juli/jul agustus/agu/agt/ags"
    " september/sep oktober/okt november/nov/nopember desember/des",
    "ms": "januari/jan februari/feb mac april/apr mei jun julai/jul ogos/ogo september/sep oktober/okt november/nov"
    " disember/dis",
    "he": "ינואר/בינואר פברואר/בפברואר מרץ/במרץ אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט"
    " ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר",
    "ar": "يناير فبراير مارس أبريل/ابريل/إبريل مايو يونيو يوليو أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر",
    "fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "la": "januarius februarius martius aprilis maius junius julius augustus september october november december",
}
# Where languages disagree about a word, this order of trust holds until the site settles it.
_LATER: Final = ("hr", "la", "ms")

# Monday first; only forms of three letters and more say a day by themselves ("Fri 14:05").
_WEEKDAYS: Final = {
    "en": "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thur/thurs friday/fri saturday/sat sunday/sun",
    "de": "montag/mo dienstag/di mittwoch/mi donnerstag/do freitag/fr samstag/sonnabend/sa sonntag/so",
    "fr": "lundi/lun mardi mercredi/mer jeudi/jeu vendredi/ven samedi/sam dimanche/dim",
    "es": "lunes/lun martes miércoles/mié/mier jueves/jue viernes/vie sábado/sáb domingo/dom",
    "pt": "segunda/seg terça/ter quarta/qua quinta/qui sexta/sex sábado/sáb domingo/dom",
    "it": "lunedì/lun martedì mercoledì/mer giovedì/gio venerdì/ven sabato/sab domenica/dom",
    "ca": "dilluns/dl dimarts/dt dimecres/dc dijous/dj divendres/dv dissabte/ds diumenge/dg",
    "nl": "maandag/ma dinsdag/di woensdag/woe/wo donderdag/don/do vrijdag/vri/vr zaterdag/zat/za zondag/zon/zo",
    "pl": "poniedziałek/pon/pn wtorek/wto/wt środa/śro/śr czwartek/czw/cz piątek/pią/pt sobota/sob/so niedziela/nie/nd",
    "cs": "pondělí/pon/po úterý/úte/út středa/stř/st čtvrtek/čtv/čt pátek/pát/pá sobota/sob/so neděle/ned/ne",
    "sk": "pondelok/pon utorok/uto/ut streda/str štvrtok/štv/št piatok/pia/pi sobota/sob nedeľa/ned",
    "ru": "понедельник/пон/пн вторник/вто/вт среда/срд/сре/ср четверг/чет/чт пятница/пят/пт суббота/суб/сб"
    " воскресенье/вос/вск/вс",
    "uk": "понеділок/пн вівторок/вт середа/ср четвер/чт п'ятниця/пятниця/пт субота/сб неділя/нд",
    "sv": "måndag/mån tisdag/tis onsdag/ons torsdag/tors/tor fredag/fre lördag/lör söndag/sön",
    "da": "mandag/man tirsdag/tirs/tir onsdag/ons torsdag/tors/tor fredag/fre lørdag/lør søndag/søn",
    "fi": "maanantai/ma tiistai/ti keskiviikko/ke torstai/to perjantai/pe lauantai/la sunnuntai/su",
    "hu": "hétfő/hét kedd szerda/sze csütörtök/csüt péntek/pén szombat/szo vasárnap/vas",
    "ro": "luni/lun marți/marţi/mar miercuri/mie joi vineri/vin sâmbătă/sâm duminică/dum",
    "tr": "pazartesi/pzt salı/sal çarşamba/çar perşembe/per cuma/cum cumartesi/cmt pazar/paz",
    "el": "δευτέρα/δευ τρίτη/τρι τετάρτη/τετ πέμπτη/πεμ παρασκευή/παρ σάββατο/σαβ κυριακή/κυρ",
    "bg": "понеделник/пон вторник/вто сряда/сря четвъртък/чет петък/пет събота/съб неделя/нед",
    "hr": "ponedjeljak/ponedeljak/pon utorak/uto srijeda/sreda/sri/sre četvrtak/čet petak/pet subota/sub nedjelja/ned",
    "zh": "星期一/周一/週一/月曜日/월요일 星期二/周二/週二/火曜日/화요일 星期三/周三/週三/水曜日/수요일"
    " 星期四/周四/週四/木曜日/목요일 星期五/周五/週五/金曜日/금요일 星期六/周六/週六/土曜日/토요일"
    " 星期日/星期天/周日/週日/日曜日/일요일",
    "id": "senin/sen selasa/sel rabu/rab kamis/kam jumat/jum sabtu/sab minggu/min",
}

# Days back from today.
_DAY_WORDS: Final = {
    0: "today heute aujourd'hui aujourdhui hoy hoje oggi avui vandaag dzisiaj dziś dnes сегодня сьогодні idag"
    " tänään täna azi astăzi bugün σήμερα днес danas danes 今天 今日 오늘 היום اليوم",
    1: "yesterday gestern ayer ontem ieri ahir gisteren wczoraj včera вчера вчора igår eilen eile tegnap"
    " dün χθες χτες jučer juče včeraj kemarin semalam 昨天 昨日 어제 אתמול أمس",
    2: "vorgestern avant-hier anteayer anteontem eergisteren przedwczoraj předevčírem predvčerom позавчера позавчора"
    " toissapäivänä tegnapelőtt alaltăieri προχθές prekjučer онзиден 前天 一昨日 おととい 그저께",
}
# Words that say a day only beside a clock time ("hier" is also German for here) …
_WEAK_DAY_WORDS: Final = {0: "ma", 1: "hier"}
# … or after another word: "i dag", "i går", "hôm nay", "hôm qua", "hari ini".
_SECOND_DAY_WORDS: Final = {0: "dag nay ini", 1: "går qua"}
_UNITS: Final = {
    1: "second seconds moment moments sec secs sekunde sekunden sek seconde secondes segundo segundos secondo"
    " secondi segon segons"
    " seconden sekunda sekundy sekund sekunder sekunt sekuntia секунда секунду секунды секунд сек секунди sekundę"
    " másodperc másodperce másodperccel secundă secunde saniye δευτερόλεπτα δευτερόλεπτο sekundi detik"
    " giây 秒 秒钟 秒鐘 秒間 초",
    MINUTE: "minute minutes min mins minuten minuto minutos minuti minuts minuut minuten minuta minutę minuty minut"
    " minutu minuter minutter minutt minuttia minuutti minuuttia perc perce perccel minute dakika dk λεπτά"
    " λεπτό минута"
    " минуту минуты минут мин хвилина хвилину хвилини хвилин хв минути minuta minuti menit phút 分 分钟 分鐘 分間 분",
    HOUR: "hour hours hr hrs stunde stunden std heure heures hora horas ora ore hores uur uren godzina godzinę"
    " godziny"
    " godzin godz hodina hodinu hodiny hodin hodinami hodín timme timmar timer time tunti tuntia óra órája"
    " órával oră saat"
    " ώρα ώρες час часа часов година годину години годин часа sat sata sati jam giờ 小时 小時 个小时 個小時"
    " 時間 시간",
    DAY: "day days tag tage tagen jour jours día dias días dia giorno giorni dies dag dagen dzień dni den dny dní dnů"
    " dňami deň dagar dage dager päivä päivää nap napja nappal zi zile gün ημέρα ημέρες μέρες день дня дней дн"
    " дні днів дена"
    " дни dan dana hari ngày 天 日 日間 일",
    WEEK: "week weeks woche wochen semaine semaines semana semanas settimana settimane setmana setmanes weken tydzień"
    " tygodnie tygodni týden týdny týdnů vecka veckor uge uger uke uker viikko viikkoa hét hete héttel"
    " săptămână săptămâni"
    " hafta εβδομάδα εβδομάδες неделя неделю недели недель тиждень тижні тижнів седмица седмици tjedan tjedna"
    " minggu tuần 周 星期 个星期 週間 週 주",
    MONTH: "month months mths mon monat monate monaten mois mes meses mês mese mesi mesos maand maanden miesiąc"
    " miesiące"
    " miesięcy měsíc měsíci měsíce měsíců mesiac mesiace månad månader måned måneder kuukausi kuukautta hónap"
    " hónapja hónappal"
    " lună luni ay μήνας μήνες месяц месяца месяцев місяць місяці місяців месец месеца mjesec mjeseca bulan tháng"
    " 个月 個月 ヶ月 か月 カ月 ヵ月 月 개월 달",
    YEAR: "year years yr yrs jahr jahre jahren an ans année années año años ano anos anno anni any anys jaar rok"
    " lata lat roky let rokmi år vuosi vuotta év éve évvel ani yıl χρόνια χρόνος год года лет рік роки років"
    " godina godine tahun năm 年 년",
}
# Hours in Ukrainian ("3 години тому"), years in Bulgarian ("преди 3 години"): the word before tells.
UNIT_AFTER_BEFORE: Final = {"година": YEAR, "години": YEAR}
_NUMBER_WORDS: Final = {
    0.5: "half halbe halben demi media meia mezza halve pół půl pol halv puoli fél yarım μισή 半 반",
    3.0: "few wenigen einigen quelques unos unas alguns algumas alcuni enkele kilka několika několik"
    " pár несколько кілька några muutama néhány câteva birkaç μερικά няколко nekoliko beberapa vài 几 幾 数",
    1.0: "a an one ein eine einer einem un une una uno um uma één een eine jeden jedna jednu jedną один одну одна"
    " ett en et yksi yhden egy bir o ένα μία една един jedan jednu sebuah một",
}
_AGO_AFTER: Final = (
    "ago ezelőtt siden sedan geleden fa назад тому sitten önce temu zpět atrás trước lalu nazad fa 前 之前 전"
)
_AGO_BEFORE: Final = "vor hace há ha przed před pred преди πριν prije pre acum fa cách"
_CONNECTORS: Final = (
    "at of on the um uhr den de del las los la le les à a y às alle op om kl klo klokka kello o v в у об г р u"
    " ob saat"
    " lúc vào năm ngày dne dnia r στις на pukul jam ora orele el dia as ás i am dell and und et e i ir ja och og и"
    " года року i hôm hari yang در في"
)
_JUST: Final = "just gerade à ahora agora proprio только właśnie právě juuri az baru vừa"
_NOW: Final = "now eben l'instant mismo mesmo ora ago chwilą teraz nyní что nyt önce saja xong"
_NOW_ALONE: Final = "刚刚 刚才 剛剛 剛才 たった今 방금 soeben zojuist щойно"
_HALVES: Final = {
    "am": "am a.m 上午 凌晨 早上 清晨 午前 오전 πμ π.μ öö fm ص",
    "pm": "pm p.m 下午 晚上 中午 傍晚 午後 오후 μμ μ.μ ös em م",
}
_NAMED_HOURS: Final = {0: "midnight", 12: "noon"}
_ORDINALS: Final = "st nd rd th er ème eme º ª го"
_UNITS_AGO: Final = "másodperce perce órája napja hete hónapja éve"
_FRENCH_AGO: Final = "il"
_MONTH_PREFIXES: Final = "tháng thg"
_SHORT_UNITS: Final = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "mo": MONTH, "y": YEAR, "yr": YEAR}
_CJK_MARKS: Final = {"year_mark": "年 년", "month_mark": "月 월", "day_mark": "日 일 号 號",
                     "hour_mark": "時 时 点 點 시", "minute_mark": "分 분", "second_mark": "秒 초"}  # fmt: skip
_CJK_WEEKDAY_LETTERS: Final = "一月월 二火화 三水수 四木목 五金금 六土토 日日일"
_ZONES: Final = {
    "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120, "mesz": 120,
    "eet": 120, "eest": 180, "msk": 180, "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "wib": 420,
    "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "awst": 480, "nzst": 720, "nzdt": 780,
    "est": -300, "edt": -240, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
    "akst": -540, "akdt": -480, "hst": -600, "brt": -180,
}  # fmt: skip


@dataclass(slots=True)
class Word:
    """What a word can mean in a time. `roles` are the parts of speech of the little grammar in `timetext`."""

    roles: set[str]
    months: dict[str, int]
    weekday: int | None = None
    days_back: int = 0
    unit: int = 0
    number: float = 1.0
    half: str = ""
    offset: int = 0

    @property
    def month(self) -> int:
        """The month that most languages mean by this word."""
        return next(iter(self.months.values()))


_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]")


def fold(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.lower()
    folded = word.casefold()
    if unicodedata.is_normalized("NFKD", folded) and not _MARKS.search(folded):
        return folded
    pieces = unicodedata.normalize("NFKD", folded)
    return unicodedata.normalize("NFC", "".join(piece for piece in pieces if not unicodedata.combining(piece)))


_LONGEST: Final = 21  # characters; the longest word has 13, and accents may be signs of their own


@lru_cache(maxsize=8192)
def look_up(word: str) -> Word | None:
    """The meaning of a word as it stands in a text, or None."""
    if len(word) > _LONGEST:
        return None
    folded = fold(word.replace("’", "'"))
    words = known_words()
    return words.get(folded) or words.get(folded.split("-", 1)[0].rstrip("."))


@cache
def known_words() -> dict[str, Word]:
    """All words by their folded form. Built on first use: a site that writes its times in numbers needs none."""
    words: dict[str, Word] = {}

    def entry(form: str, role: str) -> Word:
        word = words.setdefault(fold(form), Word(set(), {}))
        word.roles.add(role)
        return word

    for language, line in sorted(_MONTHS.items(), key=lambda item: item[0] in _LATER):
        for number, forms in enumerate(line.split(), 1):
            for form in forms.split("/"):
                entry(form, "month").months[language] = number
    for line in _WEEKDAYS.values():
        for number, forms in enumerate(line.split()):
            for form in forms.split("/"):
                _add_weekday(entry, form, number)
    _add_values(entry)
    for name, text in _PLAIN_ROLES.items():
        for form in text.split():
            entry(form, name)
    return words


def _add_weekday(entry: Callable[[str, str], Word], form: str, number: int) -> None:
    long = len(form) > 3 or not form.isascii() or form in _ENGLISH_DAYS
    word = entry(form, "weekday")
    word.weekday = number if word.weekday is None else word.weekday
    if long:
        word.roles.add("long_weekday")


def _add_values(entry: Callable[[str, str], Word]) -> None:
    for days, text in _DAY_WORDS.items():
        for form in text.split():
            entry(form, "day_word").days_back = days
    for role, table in (("weak_day_word", _WEAK_DAY_WORDS), ("second_day_word", _SECOND_DAY_WORDS)):
        for days, text in table.items():
            for form in text.split():
                entry(form, role).days_back = days
    for seconds, text in _UNITS.items():
        for form in text.split():
            entry(form, "unit").unit = seconds
    for short, seconds in _SHORT_UNITS.items():
        word = entry(short, "short_unit")
        word.unit = word.unit or seconds
    for number, text in _NUMBER_WORDS.items():
        for form in text.split():
            entry(form, "number_word").number = number
    for half, text in _HALVES.items():
        for form in text.split():
            entry(form, "half").half = half
    for hour, form in _NAMED_HOURS.items():
        entry(form, "named_hour").number = hour
    for zone, offset in _ZONES.items():
        entry(zone, "zone").offset = offset
    for number, letters in enumerate(_CJK_WEEKDAY_LETTERS.split()):
        for letter in letters:
            entry(letter, "weekday_letter").weekday = number


_ENGLISH_DAYS: Final = frozenset("mon tue wed thu fri sat sun".split())
_PLAIN_ROLES: Final = {
    "ago": _AGO_AFTER, "before": _AGO_BEFORE, "connector": _CONNECTORS, "just": _JUST, "now": _NOW,
    "now_alone": _NOW_ALONE, "ordinal": _ORDINALS, "french_ago": _FRENCH_AGO, "unit_ago": _UNITS_AGO,
    "month_prefix": _MONTH_PREFIXES,
    "tee": "t", "hour_letter": "h", **_CJK_MARKS,
}  # fmt: skip
