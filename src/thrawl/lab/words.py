"""The words that made-up people write: names, titles and sentences, in several languages.

Sentences come from patterns with open places (`{thing}`, `{quality}`, `{place}`, `{number}`), so that posts
read like posts, differ from each other, and can be searched for. All of it is invented for the laboratory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What one language offers to a writer."""

    things: tuple[str, ...]
    qualities: tuple[str, ...]
    places: tuple[str, ...]
    titles: tuple[str, ...]
    sentences: tuple[str, ...]
    boards: tuple[str, ...]
    joint: str = " "


GIVEN: Final = (
    "Aldo", "Birte", "Casimir", "Dorrit", "Eskil", "Fenna", "Gaspard", "Hedda", "Ilja", "Jolanta",
    "Kaito", "Lumi",
    "Mirek", "Noor", "Odile", "Pavel", "Quirin", "Rosalba", "Sunniva", "Teodor", "Ursina", "Viggo",
    "Wanda", "Xaver",
    "Yuki", "Zora", "brass_owl", "kettle42", "night.ferry", "Marsh & Sons", "O'Hara", "tin<can>", "Zoë",
    "Jürgen",
    "さくら", "Пётр",
)  # fmt: skip
EPITHET: Final = (
    "", "-north", "_", " the Elder", "77", "-lab", ".fr", " K.", "x", "-on-wheels", " junior", "2000",
    "_b", " van D.",
    "-fox", " of Lune",
)  # fmt: skip

CODE_LINES: Final = (
    "for step in range(12):", "    turn(wheel, step)", "if gauge < 4 && lamp > 0 {",
    "    return valve * 2", "}",
    "set pressure = 1.8", "print('ready <3>')", "load \"profile.cfg\"",
)  # fmt: skip

ENGLISH: Final = Vocabulary(
    things=(
        "gearbox", "kettle", "lens", "compass", "tent", "lamp", "sewing machine", "bicycle chain",
        "recorder", "stove",
        "telescope", "radio", "clock", "boat engine", "loom", "typewriter", "beehive", "water filter",
        "carburettor",
        "soldering iron", "record player", "hand plane", "barometer", "harmonica", "wind vane", "kiln",
        "sourdough",
    ),
    qualities=(
        "worn", "rusty", "silent", "cheap", "borrowed", "second-hand", "leaking", "restored", "heavy",
        "portable",
        "noisy", "home-made", "blue", "stubborn", "reliable", "wooden", "Danish", "half-finished",
    ),
    places=(
        "the workshop", "my garage", "the harbour", "a flea market", "the attic", "the north coast",
        "the club house",
        "our cellar", "the valley", "a friend's barn", "the museum", "the train",
    ),
    titles=(
        "How do you clean a {quality} {thing}?", "{thing} from {place}",
        "My {quality} {thing} stopped working",
        "Looking for a {quality} {thing}", "Photos: the {thing} in {place}",
        "Which {thing} for a beginner?",
        "Help with a {quality} {thing} & its parts", "{quality} {thing}: worth it?", "Show us your {thing}",
        "Strange noise in the {thing}", "What I learned about the {quality} {thing}",
    ),
    sentences=(
        "After {number} days in {place} the {thing} was {quality} again.", "Mine cost {number} euros in {place}.",
        "Turn the {thing} by {number} degrees and listen to the {thing}.",
        "Page {number} of the {thing} manual says so.",
        "I have {number} of them, and only the {quality} {thing} ever failed.",
        "Between {place} and {place} we met {number} people with a {quality} {thing}.",
        "If the {thing} is {quality}, replace the {thing}; if not, leave it for {number} weeks.",
        "I found a {quality} {thing} in {place} last week.",
        "Has anybody tried this with a {quality} {thing}?",
        "The {thing} works, but the {thing} does not.", "You could ask in {place}, they had one for sale.",
        "I would not trust a {quality} {thing} in {place}.",
        "Mine is {quality} and still runs after ten years.",
        "First take the {thing} apart, then clean everything with warm water.",
        "Thanks, that helped a lot!",
        "There is a {quality} {thing} standing in {place} since spring.",
        "In my experience 3 < 5 & more is better.",
        "Sorry for the late answer, I was in {place}.",
        "A {quality} one costs twice as much as the {thing}.",
        "Send me a message if you still need the {thing}.",
        "We took the {thing} to {place} and nobody complained.",
        "Please post a picture of the {quality} side.", "It depends on the {thing}, of course.",
        "My neighbour swears by the {quality} {thing}, I am not so sure.",
        "No idea what went wrong this time.",
    ),
    boards=(
        "Workshop", "Engines and gears", "Outdoors", "Buying and selling", "Pictures", "Beginners",
        "Kitchen",
        "Meetings", "Old instruments", "Off topic", "Announcements", "Electronics", "Wood", "Water",
        "Travel reports",
    ),
)  # fmt: skip

GERMAN: Final = Vocabulary(
    things=(
        "Getriebe", "Kessel", "Objektiv", "Zelt", "Lämpchen", "Fahrrad", "Radio", "Uhrwerk", "Boot",
        "Werkzeug",
        "Mikroskop", "Klavier", "Ventil", "Gewinde", "Öfchen", "Sägeblatt", "Netzteil", "Messgerät",
    ),
    qualities=(
        "alte", "rostige", "stille", "günstige", "geliehene", "undichte", "schwere", "laute", "blaue",
        "zuverlässige",
        "selbstgebaute", "halbfertige",
    ),
    places=(
        "der Werkstatt", "meiner Garage", "dem Hafen", "dem Flohmarkt", "dem Dachboden", "dem Vereinsheim",
        "unserem Keller", "dem Museum",
    ),
    titles=(
        "Wie reinigt man das {quality} {thing}?", "Das {thing} aus {place}",
        "Mein Problem: das {quality} {thing}",
        "Suche: {thing}", "Welches {thing} für den Anfang?", "Fotos vom {thing} aus {place}",
        "Erfahrungen mit {thing} & Zubehör", "Seltsames Geräusch im {thing}",
    ),
    sentences=(
        "Nach {number} Tagen in {place} lief das {thing} wieder.", "Meins hat {number} Euro in {place} gekostet.",
        "Das {thing} um {number} Grad drehen und auf das {thing} hören.",
        "Von {number} Stück war nur das {quality} {thing} defekt.",
        "Ich habe das {quality} {thing} letzte Woche in {place} gefunden.",
        "Hat das schon jemand probiert?",
        "Das {thing} läuft, aber das {thing} nicht.", "Frag doch mal in {place}, dort gab es eins.",
        "Meins läuft seit zehn Jahren ohne Ärger.", "Danke, das hat sehr geholfen!",
        "Zuerst das {thing} zerlegen, dann alles mit warmem Wasser spülen.",
        "Das {quality} {thing} kostet doppelt so viel.",
        "Entschuldigt die späte Antwort, ich war in {place}.", "Kommt natürlich auf das {thing} an.",
        "Bitte stell ein Bild davon ein.", "Mein Nachbar schwört auf das {quality} {thing}.",
        "Keine Ahnung, was diesmal schiefging.", "Bei mir gilt: 3 < 5 & mehr ist besser.",
    ),
    boards=(
        "Werkstatt", "Motoren", "Draußen", "Kaufen und Verkaufen", "Bilder", "Für Anfänger", "Küche",
        "Treffen",
        "Alte Geräte", "Plauderecke", "Ankündigungen", "Elektronik", "Holz", "Wasser", "Reiseberichte",
    ),
)  # fmt: skip

FRENCH: Final = Vocabulary(
    things=(
        "boîtier", "réchaud", "vélo", "moteur", "télescope", "poste radio", "métier à tisser", "four",
        "piano",
        "filtre", "bateau", "microscope", "rabot", "baromètre", "levain", "carburateur",
    ),
    qualities=(
        "ancien", "rouillé", "silencieux", "prêté", "lourd", "bruyant", "bleu", "fiable", "fait maison",
        "inachevé",
        "d'occasion",
    ),
    places=(
        "l'atelier", "mon garage", "le port", "la brocante", "le grenier", "la cave", "le musée",
        "la vallée",
    ),
    titles=(
        "Comment nettoyer un {thing} {quality} ?", "Le {thing} trouvé dans {place}",
        "Mon {thing} {quality} est en panne",
        "Cherche {thing} {quality}", "Quel {thing} pour débuter ?", "Photos : le {thing} dans {place}",
        "Un {thing} & ses pièces", "Bruit étrange dans le {thing}",
    ),
    sentences=(
        "Après {number} jours dans {place}, le {thing} était {quality}.",
        "Le mien a coûté {number} euros dans {place}.",
        "Tourne le {thing} de {number} degrés et écoute le {thing}.",
        "Sur {number} pièces, seul le {thing} {quality} a lâché.",
        "J'ai trouvé un {thing} {quality} dans {place} la semaine dernière.",
        "Quelqu'un a-t-il déjà essayé ?",
        "Le {thing} marche, mais pas le {thing}.", "Tu peux demander dans {place}, ils en avaient un.",
        "Le mien tourne encore après dix ans.", "Merci, cela m'a beaucoup aidé !",
        "D'abord démonter le {thing}, puis tout laver à l'eau tiède.",
        "Un {thing} {quality} coûte deux fois plus cher.",
        "Désolé pour le retard, j'étais dans {place}.", "Cela dépend du {thing}, bien sûr.",
        "Mets une photo du côté {quality}, s'il te plaît.",
        "Mon voisin ne jure que par le {thing} {quality}.",
        "Aucune idée de ce qui s'est passé cette fois.", "Chez moi 3 < 5 & plus, c'est mieux.",
    ),
    boards=(
        "L'atelier", "Moteurs", "Plein air", "Achats et ventes", "Images", "Débutants", "Cuisine",
        "Rencontres",
        "Vieux instruments", "Le café", "Annonces", "Électronique", "Bois", "Eau", "Récits de voyage",
    ),
)  # fmt: skip

SPANISH: Final = Vocabulary(
    things=(
        "motor", "reloj", "telescopio", "horno", "piano", "filtro", "barco", "carburador", "altavoz",
        "molino",
        "torno", "ventilador", "compás", "farol",
    ),
    qualities=(
        "viejo", "oxidado", "barato", "prestado", "pesado", "ruidoso", "azul", "fiable", "casero",
        "roto",
    ),
    places=("el taller", "mi garaje", "el puerto", "el mercadillo", "el desván", "el museo", "el valle"),
    titles=(
        "¿Cómo se limpia un {thing} {quality}?", "El {thing} de {place}", "Mi {thing} {quality} no arranca",
        "Busco un {thing} {quality}", "¿Qué {thing} para empezar?", "Fotos del {thing} en {place}",
    ),
    sentences=(
        "Tras {number} días en {place} el {thing} quedó {quality}.", "El mío costó {number} euros en {place}.",
        "Gira el {thing} unos {number} grados y escucha el {thing}.",
        "De {number} piezas solo falló el {thing} {quality}.",
        "Encontré un {thing} {quality} en {place} la semana pasada.", "¿Alguien lo ha probado ya?",
        "El {thing} funciona, pero el {thing} no.", "Pregunta en {place}, allí tenían uno.",
        "El mío sigue andando después de diez años.", "¡Gracias, me ha servido mucho!",
        "Primero desmonta el {thing} y luego lávalo todo con agua tibia.", "Depende del {thing}, claro.",
        "Perdón por tardar, estaba en {place}.", "Un {thing} {quality} cuesta el doble.",
        "Ni idea de qué falló esta vez.", "Para mí 3 < 5 & más es mejor.",
    ),
    boards=(
        "Taller", "Motores", "Aire libre", "Compra y venta", "Imágenes", "Principiantes", "Cocina",
        "Encuentros",
        "Instrumentos", "La plaza", "Anuncios", "Electrónica", "Madera", "Agua", "Viajes",
    ),
)  # fmt: skip

JAPANESE: Final = Vocabulary(
    things=(
        "時計", "望遠鏡", "自転車", "ラジオ", "湯沸かし", "顕微鏡", "録音機", "船外機", "織機", "羅針盤",
        "石油ランプ", "気圧計",
    ),
    qualities=("古い", "静かな", "安い", "重い", "青い", "錆びた", "手作りの", "頑丈な", "借り物の"),
    places=("工房", "港", "蚤の市", "屋根裏", "倉庫", "博物館", "谷間の村"),
    titles=(
        "{quality}{thing}の手入れについて", "{place}で見つけた{thing}", "{thing}が動きません",
        "{quality}{thing}を探しています",
        "初心者向けの{thing}はどれですか", "{place}の{quality}{thing}の写真",
    ),
    sentences=(
        "{place}で{number}日置いたら{thing}が直りました。",
        "{quality}{thing}を{number}台持っています。",
        "{thing}を{number}度回して{thing}の音を聞いてください。",
        "{place}の{thing}は{number}ユーロでした。",
        "先週{place}で{quality}{thing}を見つけました。", "どなたか試した方はいますか。",
        "{thing}は動きますが、{thing}は動きません。",
        "{place}で聞いてみてはどうでしょう。", "私の{thing}は十年使っても元気です。",
        "ありがとうございます、とても助かりました。",
        "まず{thing}を分解して、ぬるま湯で洗ってください。", "{quality}{thing}は値段が倍になります。",
        "返事が遅れてすみません、{place}にいました。", "それは{thing}によります。",
        "写真を載せていただけますか。",
        "今回は何が悪かったのか分かりません。",
    ),
    boards=(
        "工房", "機械", "屋外", "売ります買います", "写真", "初心者", "台所", "集まり", "古い道具",
        "雑談", "お知らせ", "電子工作",
        "木工", "水辺", "旅の記録",
    ),
    joint="",
)  # fmt: skip

VOCABULARIES: Final = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "ja": JAPANESE,
}


def user_name(number: int) -> str:
    """The name of a user: no two numbers share one."""
    given = GIVEN[number % len(GIVEN)]
    rest, turn = divmod(number // len(GIVEN), len(EPITHET))
    return f"{given}{EPITHET[turn]}" + (f" ({rest + 1})" if rest else "")
