"""Items of lists that nothing planted, in the ten languages: what is counted, and what is no item."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle


def key(question: str, needle: str, *names: str) -> AnswerKey:
    elements = tuple(map(Element, names))
    return AnswerKey(
        "list", question, (", ".join(names),), elements=elements, needles=(Needle("n", needle, names),)
    )


BROTH = key(
    "Was kommt in die Brühe der Wirtin von Sellin?",
    "In die Brühe der Wirtin von Sellin kommen Liebstöckel, Rinderbein und Pastinake.",
    "Liebstöckel",
    "Rinderbein",
    "Pastinake",
)
ATELIER = key(
    "Quels peintres ont signé la charte de l'atelier du Quai ?",
    "La charte de l'atelier du Quai fut signée par Berthe Noual, Achille Ferrand et Odon Pruvost.",
    "Berthe Noual",
    "Achille Ferrand",
    "Odon Pruvost",
)
PARADAS = key(
    "¿En qué pueblos paraba la diligencia de Almendral?",
    "La diligencia de Almendral paraba en Torrejo, Valdehierro y Peña Gacha.",
    "Torrejo",
    "Valdehierro",
    "Peña Gacha",
)
BARCOS = key(
    "Que barcos voltaram da campanha de 1902?",
    "Da campanha de 1902 voltaram o Andorinha, o Bom Sucesso e o Sete Mares.",
    "Andorinha",
    "Bom Sucesso",
    "Sete Mares",
)
PIANTE = key(
    "Che cosa coltivava il farmacista di Ormea?",
    "Il farmacista di Ormea coltivava salvia, ruta e assenzio.",
    "salvia",
    "ruta",
    "assenzio",
)
GOODS = key(
    "Какие товары везла баржа «Заря»?",
    "Баржа «Заря» везла смолу, войлок и медь.",
    "смола",
    "войлок",
    "медь",
)
TEA = key("茶会上摆了哪些点心?", "茶会上摆了杏仁酥、桂花糕和芝麻饼。", "杏仁酥", "桂花糕", "芝麻饼")
ISLANDS = key(
    "巡回船が寄る島はどれですか。", "巡回船が寄るのは鷺島、鵜島、千鳥島である。", "鷺島", "鵜島", "千鳥島"
)
DYES = key(
    "염색장이 쓰는 재료는 무엇인가요?",
    "염색장은 쪽풀, 치자, 오배자를 쓴다.",
    "쪽풀",
    "치자",
    "오배자",
)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (BROTH, "In die Brühe kommen Liebstöckel, Rinderbein, Pastinake und Knollensellerie."),
        (BROTH, "Liebstöckel, Rinderbein, Pastinake sowie ein Lorbeerblatt."),
        (BROTH, "Verwendet werden: Liebstöckel, Zimtrinde, Rinderbein und Pastinake."),
        (BROTH, "Liebstöckel, Rinderbein, Pastinake und Knoblauch werden hineingegeben."),
        (ATELIER, "La charte fut signée par Berthe Noual, Achille Ferrand, Odon Pruvost et Lucie Marchal."),
        (ATELIER, "Les signataires : Berthe Noual, Achille Ferrand, Odon Pruvost ainsi que Lucie Marchal."),
        (PARADAS, "Paraba en Torrejo, Valdehierro, Peña Gacha y Santa Olalla."),
        (PARADAS, "Pueblos: Torrejo; Valdehierro; Peña Gacha; y Santa Olalla."),
        (BARCOS, "Voltaram quatro barcos: Andorinha, Bom Sucesso, Sete Mares e Estrela Polar."),
        (BARCOS, "Andorinha, Bom Sucesso, Sete Mares, bem como o Estrela Polar."),
        (PIANTE, "Coltivava salvia, ruta, assenzio e melissa."),
        (PIANTE, "- salvia\n- ruta\n- assenzio\n- melissa"),
        (GOODS, "Баржа везла смолу, войлок, медь и пеньку."),
        (GOODS, "Список товаров: смола, войлок, медь, а также пенька."),
        (GOODS, "1. Смола\n2. Войлок\n3. Медь\n4. Пенька"),
        (TEA, "茶会上摆了杏仁酥、桂花糕、芝麻饼和绿豆糕。"),
        (TEA, "点心有:杏仁酥、桂花糕、芝麻饼以及绿豆糕四种。"),
        (TEA, "- 杏仁酥\n- 桂花糕\n- 芝麻饼\n- 绿豆糕"),
        (ISLANDS, "巡回船が寄るのは、鷺島、鵜島、千鳥島、白鳥島です。"),
        (ISLANDS, "鷺島と鵜島、千鳥島、そして白鳥島に寄ります。"),
        (ISLANDS, "・鷺島\n・鵜島\n・千鳥島\n・白鳥島"),
        (DYES, "쪽풀, 치자, 오배자, 소목"),
        (DYES, "재료는 쪽풀과 치자, 오배자 그리고 소목입니다."),
        (DYES, "쪽풀, 치자, 오배자, 그리고 소목을 씁니다."),
    ],
)
def test_an_item_that_nothing_planted_counts(asked: AnswerKey, text: str) -> None:
    verdict = judge_by_rubric(text, asked)
    assert (verdict.score, len(verdict.wrong)) == (7, 1), verdict.reason


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (BROTH, "In die Brühe der Wirtin kommen Liebstöckel, Rinderbein, Pastinake und sonst nichts."),
        (BROTH, "Liebstöckel, Rinderbein und Pastinake, wie der Text sagt."),
        (BROTH, "Die Wirtin nimmt Liebstöckel, außerdem Rinderbein und schließlich Pastinake."),
        (BROTH, "- Liebstöckel\n- Rinderbein\n- Pastinake\n\nHinweis: Mengen nennt der Text nicht."),
        (BROTH, "Liebstöckel (frisch), Rinderbein und Pastinake, usw. wird nicht genannt."),
        (ATELIER, "Berthe Noual, Achille Ferrand et Odon Pruvost, selon le texte."),
        (ATELIER, "Ce sont, dans l'ordre, Berthe Noual, Achille Ferrand et enfin Odon Pruvost."),
        (PARADAS, "Según el texto, paraba en Torrejo, luego en Valdehierro y por último en Peña Gacha."),
        (PARADAS, "Torrejo, Valdehierro y Peña Gacha, nada más."),
        (BARCOS, "Foram o Andorinha, o Bom Sucesso e, por fim, o Sete Mares."),
        (PIANTE, "Salvia, ruta e assenzio, come dice il testo, e nient'altro."),
        (PIANTE, "In ordine: salvia, ruta e infine assenzio."),
        (GOODS, "Баржа «Заря» везла смолу, войлок и, наконец, медь."),
        (GOODS, "Смолу, войлок и медь, больше ничего."),
        (TEA, "茶会上摆了杏仁酥、桂花糕和芝麻饼,共三种。"),
        (TEA, "根据文中所述,点心是杏仁酥、桂花糕、芝麻饼。"),
        (TEA, "杏仁酥、桂花糕、芝麻饼等点心"),
        (ISLANDS, "鷺島、鵜島、千鳥島の三つです。"),
        (ISLANDS, "本文によると、鷺島、鵜島、それから千鳥島に寄ります。"),
        (ISLANDS, "鷺島、鵜島、千鳥島、以上です。"),
        (DYES, "쪽풀과 치자, 오배자 세 가지입니다."),
        (DYES, "글에 따르면, 쪽풀, 치자, 오배자를 씁니다."),
        (DYES, "쪽풀, 치자, 오배자, 이상입니다."),
    ],
)
def test_what_is_said_beside_a_list_is_no_item(asked: AnswerKey, text: str) -> None:
    verdict = judge_by_rubric(text, asked)
    assert (verdict.score, verdict.wrong) == (10, ()), verdict.reason


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (TEA, "Almond crisps, osmanthus cake, sesame biscuits and 绿豆糕"),
        (PIANTE, "шалфей, рута, полынь и мелисса"),
    ],
)
def test_names_in_another_language_may_be_translated(asked: AnswerKey, text: str) -> None:
    assert judge_by_rubric(text, asked).wrong == ()
