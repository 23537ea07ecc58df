"""Words of a random forum's furniture that no skin needed so far, language by language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thrawl.lab.skins import language as spoken
from thrawl.lab.skins.language import Language

LANGUAGES: Final[dict[str, Language]] = {
    "en": spoken.ENGLISH,
    "de": spoken.GERMAN,
    "fr": spoken.FRENCH,
    "es": spoken.SPANISH,
    "ja": spoken.JAPANESE,
}


@dataclass(frozen=True, slots=True)
class Wording:
    all: str
    archive: str
    more: str
    totals: str  # "{threads} topics, {posts} posts"
    likes: str  # "{n} people like this"
    rank: str
    related: str
    answers: str
    in_reply_to: str
    welcome: str
    tags: str
    code: str
    older: str
    forum: str
    news: str
    question: str
    whole: str
    private: str


WORDING: Final[dict[str, Wording]] = {
    "en": Wording(
        "All messages", "Archive", "Show more", "{threads} topics, {posts} posts", "{n} people like this",
        "Regular", "Similar topics", "{n} answers", "in reply to", "Welcome to our site.", "Tags", "Code:",
        "Older messages", "Forum", "News", "asked", "Whole thread", "Members' room",
    ),
    "de": Wording(
        "Alle Nachrichten", "Archiv", "Mehr anzeigen", "{threads} Themen, {posts} Beiträge", "{n} Personen gefällt das",
        "Stammgast", "Ähnliche Themen", "{n} Antworten", "als Antwort auf", "Willkommen auf unserer Seite.",
        "Schlagworte", "Quelltext:", "Ältere Beiträge", "Forum", "Neuigkeiten", "fragt", "Ganzes Thema",
        "Mitgliederbereich",
    ),
    "fr": Wording(
        "Tous les messages", "Archives", "Afficher plus", "{threads} sujets, {posts} messages", "{n} personnes aiment",
        "Habitué", "Sujets similaires", "{n} réponses", "en réponse à", "Bienvenue sur notre site.", "Mots-clés",
        "Code :", "Messages plus anciens", "Forum", "Actualités", "demande", "Sujet entier",
        "Salon des membres",
    ),
    "es": Wording(
        "Todos los mensajes", "Archivo", "Ver más", "{threads} temas, {posts} mensajes", "A {n} personas les gusta",
        "Habitual", "Temas parecidos", "{n} respuestas", "en respuesta a", "Bienvenidos a nuestro sitio.",
        "Etiquetas", "Código:", "Mensajes anteriores", "Foro", "Noticias", "pregunta", "Tema completo",
        "Sala de socios",
    ),
    "ja": Wording(
        "すべての投稿", "過去ログ", "もっと見る", "スレッド {threads} 件、投稿 {posts} 件",
        "{n}人が「いいね」と言っています", "常連", "似た話題", "回答 {n} 件", "返信先", "ようこそ。",
        "タグ", "コード:", "古い投稿", "フォーラム", "ニュース", "質問", "全体表示", "会員専用",
    ),
}  # fmt: skip
