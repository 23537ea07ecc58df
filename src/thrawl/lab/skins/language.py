"""The words of a forum's furniture and its ways to write a date, language by language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    code: str
    months: tuple[str, ...]
    today: str
    yesterday: str
    ago: str  # "{n} {unit} ago"
    units: tuple[str, str, str, str]  # minutes, hours, days, months
    site: str
    board: str
    thread: str
    replies: str
    views: str
    author: str
    last_post: str
    by: str
    first: str
    previous: str
    next: str
    last: str
    page: str
    login: str
    register: str
    search: str
    help: str
    members: str
    calendar: str
    newest: str
    joined: str
    posts: str
    reply: str
    quote: str
    report: str
    print_view: str
    sticky: str
    edited: str
    wrote: str
    sort_by: str
    jump_to: str
    denied: str
    name: str
    password: str
    send: str


ENGLISH: Final = Language(
    code="en",
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    today="Today",
    yesterday="Yesterday",
    ago="{n} {unit} ago",
    units=("minutes", "hours", "days", "months"),
    site="The Tinkerers' Bench",
    board="Board",
    thread="Subject",
    replies="Replies",
    views="Views",
    author="Started by",
    last_post="Latest",
    by="by",
    first="First",
    previous="Previous",
    next="Next",
    last="Last",
    page="Page",
    login="Log in",
    register="Sign up",
    search="Search",
    help="Help",
    members="Members",
    calendar="Calendar",
    newest="New posts",
    joined="Joined",
    posts="Posts",
    reply="Reply",
    quote="Quote",
    report="Report",
    print_view="Printable version",
    sticky="Pinned",
    edited="Edited",
    wrote="wrote",
    sort_by="Order by",
    jump_to="Go to",
    denied="Only members may see this page. Please log in first.",
    name="Name",
    password="Password",
    send="Send",
)

GERMAN: Final = Language(
    code="de",
    months=(
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
    today="Heute",
    yesterday="Gestern",
    ago="vor {n} {unit}",
    units=("Minuten", "Stunden", "Tagen", "Monaten"),
    site="Werkbank & Freunde",
    board="Bereich",
    thread="Thema",
    replies="Antworten",
    views="Zugriffe",
    author="Begonnen von",
    last_post="Letzter Beitrag",
    by="von",
    first="Anfang",
    previous="Zurück",
    next="Weiter",
    last="Ende",
    page="Seite",
    login="Anmelden",
    register="Registrieren",
    search="Suche",
    help="Hilfe",
    members="Mitglieder",
    calendar="Kalender",
    newest="Neue Beiträge",
    joined="Dabei seit",
    posts="Beiträge",
    reply="Antworten",
    quote="Zitieren",
    report="Melden",
    print_view="Druckansicht",
    sticky="Wichtig",
    edited="Geändert",
    wrote="schrieb",
    sort_by="Sortieren nach",
    jump_to="Gehe zu",
    denied="Diese Seite ist nur für Mitglieder. Bitte melde dich an.",
    name="Name",
    password="Kennwort",
    send="Absenden",
)

FRENCH: Final = Language(
    code="fr",
    months=(
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
    today="aujourd'hui",
    yesterday="hier",
    ago="il y a {n} {unit}",
    units=("minutes", "heures", "jours", "mois"),
    site="Le Coin des bricoleurs",
    board="Rubrique",
    thread="Fil",
    replies="réponses",
    views="lectures",
    author="Ouvert par",
    last_post="Dernier message",
    by="par",
    first="Début",
    previous="Précédent",
    next="Suivant",
    last="Fin",
    page="Page",
    login="Connexion",
    register="Inscription",
    search="Recherche",
    help="Aide",
    members="Membres",
    calendar="Calendrier",
    newest="Nouveautés",
    joined="Inscrit le",
    posts="messages",
    reply="Répondre",
    quote="Citer",
    report="Signaler",
    print_view="Version imprimable",
    sticky="Épinglé",
    edited="Modifié",
    wrote="a écrit",
    sort_by="Trier par",
    jump_to="Aller à",
    denied="Cette page est réservée aux membres. Veuillez vous connecter.",
    name="Nom",
    password="Mot de passe",
    send="Envoyer",
)

SPANISH: Final = Language(
    code="es",
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    today="hoy",
    yesterday="ayer",
    ago="hace {n} {unit}",
    units=("minutos", "horas", "días", "meses"),
    site="Preguntas del taller",
    board="Tema",
    thread="Pregunta",
    replies="respuestas",
    views="visitas",
    author="Preguntada por",
    last_post="Última actividad",
    by="por",
    first="Primera",
    previous="Anterior",
    next="Siguiente",
    last="Última",
    page="Página",
    login="Entrar",
    register="Registrarse",
    search="Buscar",
    help="Ayuda",
    members="Usuarios",
    calendar="Calendario",
    newest="Recientes",
    joined="Miembro desde",
    posts="mensajes",
    reply="Responder",
    quote="Citar",
    report="Denunciar",
    print_view="Versión para imprimir",
    sticky="Fijado",
    edited="editado",
    wrote="escribió",
    sort_by="Ordenar por",
    jump_to="Ir a",
    denied="Esta página es solo para miembros. Entra primero.",
    name="Nombre",
    password="Contraseña",
    send="Enviar",
)

JAPANESE: Final = Language(
    code="ja",
    months=tuple(f"{month}月" for month in range(1, 13)),
    today="今日",
    yesterday="昨日",
    ago="{n}{unit}前",
    units=("分", "時間", "日", "か月"),
    site="道具の広場",
    board="掲示板",
    thread="題名",
    replies="返信",
    views="閲覧",
    author="投稿者",
    last_post="最終投稿",
    by="",
    first="最初",
    previous="前へ",
    next="次へ",
    last="最後",
    page="ページ",
    login="ログイン",
    register="会員登録",
    search="検索",
    help="ヘルプ",
    members="会員一覧",
    calendar="カレンダー",
    newest="新着",
    joined="登録日",
    posts="投稿数",
    reply="返信する",
    quote="引用",
    report="通報",
    print_view="印刷用",
    sticky="固定",
    edited="編集",
    wrote="さんの発言",
    sort_by="並べ替え",
    jump_to="移動",
    denied="このページは会員専用です。ログインしてください。",
    name="名前",
    password="パスワード",
    send="送信",
)


def clock12(time: datetime) -> str:
    """2:05 pm"""
    return f"{time.hour % 12 or 12}:{time:%M} {'am' if time.hour < 12 else 'pm'}"


def near_or(language: Language, time: datetime, now: datetime, written: str) -> str:
    """Today and yesterday by word, everything older as written."""
    days = (now.date() - time.date()).days
    if days == 0:
        return f"{language.today}, {time:%H:%M}"
    if days == 1:
        return f"{language.yesterday}, {time:%H:%M}"
    return written


def ago(language: Language, time: datetime, now: datetime) -> str:
    """3 hours ago"""
    passed = max(now - time, timedelta(minutes=1))
    minutes, hours, days, months = language.units
    if passed < timedelta(hours=1):
        return language.ago.format(n=passed.seconds // 60, unit=minutes)
    if passed < timedelta(days=1):
        return language.ago.format(n=passed.seconds // 3600, unit=hours)
    if passed < timedelta(days=60):
        return language.ago.format(n=passed.days, unit=days)
    return language.ago.format(n=passed.days // 30, unit=months)
