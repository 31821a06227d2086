"""Names of things and places, told in another language than the needle set's."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.translated.dictionary import DICTIONARY_LANGUAGES, thing_words, things
from niah.judges.rubric.translated.names import TranslatedNames
from niah.needles.needle_set import Distractor, Element, Needle

_LIKE_OTHER_WORDS = frozenset(("un", "et", "al", "was", "vos", "sul", "or", "nat", "weg", "ay"))
"""Listed words that are the commonest of their own language too."""


@pytest.mark.parametrize("language", DICTIONARY_LANGUAGES)
def test_each_listed_word_names_its_thing(language: Language) -> None:
    for place, thing in enumerate(things()):
        for way in thing.words[language]:
            if " " not in way and way not in _LIKE_OTHER_WORDS:
                (meaning,) = thing_words(language).meanings(way)
                assert place in meaning, way


@pytest.mark.parametrize("language", DICTIONARY_LANGUAGES)
def test_no_plain_word_of_a_language_names_a_thing(language: Language) -> None:
    common = {
        "de": "ich weiss es nicht, das ist war und die auch",
        "fr": "il est été sur son au par la une pas or mais",
        "es": "este es la una sobre más tarde para se como",
        "it": "è la una come se lui del al che sono",
        "pt": "este é uma para mais tarde se como ele sul",
        "nl": "dat is niet meer bij een het was al den hen",
        "pl": "to jest nie jak po za lata od już tam",
        "tr": "bu bir ve için al et ile saat on",
        "ru": "это не он она было что как по за",
        "sv": "det är inte jag som får och kor ur på en val",
        "en": "the this is not of a as by from on over",
    }
    for word in normalise(common[language]).replace(",", "").split():
        assert thing_words(language).meanings(word) == (), word


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("figs", "Les figues sont dans le panier.", ["figues"]),
        ("figs", "Er hat Feigen gekauft.", ["feigen"]),
        ("goat cheese", "El queso de cabra está en la mesa.", ["queso de cabra"]),
        ("goat cheese", "Das ist Ziegenkäse.", ["ziegenkäse"]),
        ("cheese", "El queso de cabra está en la mesa.", []),
        ("copper kettle", "La bouilloire en cuivre est là.", ["bouilloire en cuivre"]),
        ("copper kettle", "Ein Kupferkessel ist das.", ["kupferkessel"]),
        ("copper kettle", "La cloche en cuivre est dans la bouilloire.", []),
        ("white", "Ich weiss es nicht.", []),
        ("white", "Die Tür ist eine weisse.", ["weisse"]),
        ("bread", "The pan was in the kitchen of the pain.", []),
        ("bread", "Brot", ["brot"]),
        ("bread", "Pan", []),
        ("bread", "No hay pan en la casa.", ["pan"]),
        ("Danube", "Está a orillas del Danubio.", ["danubio"]),
        ("Brown", "Die Tür ist braun und alt.", []),
        ("east", "Il est dans la maison.", []),
    ],
)
def test_where_a_name_stands(name: str, text: str, found: list[str]) -> None:
    names = TranslatedNames([(normalise(name), (name, True))], (name,), "en")
    said = normalise(text)
    assert [said[one.start : one.end] for one in names.find(said, [False] * len(said))] == found


def test_what_is_known_to_name_something_says_nothing_else() -> None:
    names, said = TranslatedNames([("figs", ("figs", True))], ("figs",), "en"), "feigen und higos"
    taken = [place < said.index(" ") for place in range(len(said))]
    assert not list(names.find(said, taken))
    assert [one.start for one in names.find(said, [False] * len(said))] == [0]


def test_what_two_names_may_mean_is_neither() -> None:
    names = TranslatedNames(
        [("tin whistle", ("tin", True)), ("pewter whistle", ("pewter", False))],
        ("a tin whistle and a pewter whistle",),
        "en",
    )
    said = "die zinnpfeife ist es"
    assert not list(names.find(said, [False] * len(said)))


_PANTRY = AnswerKey(
    "k",
    "Which three things did the cook of Orlo House lock away?",
    ("honey, almonds, and white wine",),
    elements=(Element("honey"), Element("almonds"), Element("white wine")),
    needles=(Needle("n", "The cook of Orlo House locked away honey, almonds and white wine.", ()),),
    distractors=(
        Distractor(
            "d", "The groom locked away red wine and a saddle.", (Element("red wine"), Element("saddle"))
        ),
    ),
)
_RIGHT = {
    "de": "Der Koch hat Honig, Mandeln und Weißwein weggeschlossen.",
    "fr": "Le cuisinier a enfermé le miel, les amandes et le vin blanc.",
    "es": "El cocinero guardó la miel, las almendras y el vino blanco.",
    "it": "Il cuoco ha chiuso il miele, le mandorle e il vino bianco.",
    "pt": "O cozinheiro guardou o mel, as amêndoas e o vinho branco.",
    "nl": "De kok heeft honing, amandelen en witte wijn opgeborgen.",
    "pl": "Kucharz schował miód, migdały i białe wino.",
    "tr": "Aşçı bal, badem ve beyaz şarap sakladı.",
    "ru": "Повар запер мед, миндаль и белое вино.",
}
_WRONG = {
    "de": "Der Koch hat Butter, Nüsse und Rotwein weggeschlossen.",
    "fr": "Le cuisinier a enfermé le beurre, les noix et le vin rouge.",
    "es": "El cocinero guardó la mantequilla, las nueces y el vino rojo.",
    "it": "Il cuoco ha chiuso il burro, le noci e il vino rosso.",
    "pt": "O cozinheiro guardou a manteiga, as nozes e o vinho vermelho.",
    "nl": "De kok heeft boter, walnoten en rode wijn opgeborgen.",
    "pl": "Kucharz schował masło, orzechy włoskie i czerwone wino.",
    "tr": "Aşçı tereyağı, ceviz ve kırmızı şarap sakladı.",
    "ru": "Повар запер сливочное масло, грецкие орехи и красное вино.",
}


@pytest.mark.parametrize("language", _RIGHT)
def test_a_translated_list(language: str) -> None:
    assert judge_by_rubric(_RIGHT[language], _PANTRY).score == 10
    assert judge_by_rubric(_WRONG[language], _PANTRY).score == 1


@pytest.mark.parametrize("language", _RIGHT)
def test_one_of_a_translated_list_is_another(language: str) -> None:
    colour = {"de": ("Weißwein", "Rotwein"), "fr": ("blanc", "rouge"), "es": ("blanco", "rojo")}
    colour |= {"it": ("bianco", "rosso"), "pt": ("branco", "vermelho"), "nl": ("witte", "rode")}
    colour |= {"pl": ("białe", "czerwone"), "tr": ("beyaz", "kırmızı"), "ru": ("белое", "красное")}
    verdict = judge_by_rubric(_RIGHT[language].replace(*colour[language]), _PANTRY)
    assert (verdict.score, verdict.wrong) == (5, ("red wine",))


_TOWN = AnswerKey("k", "In which land does the river Orlo rise?", ("Bavaria",))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("In Bayern.", 10),
        ("Laut Text entspringt er in Bayern.", 10),
        ("Elle naît en Bavière.", 10),
        ("Nace en Baviera.", 10),
        ("In Baviera, secondo il testo.", 10),
        ("De rivier ontspringt in Beieren.", 10),
        ("W Bawarii.", 10),
        ("Bavyera'da.", 10),
        ("Река начинается в Баварии.", 10),
        ("In Sachsen.", 1),
        ("Laut Text entspringt er in Sachsen.", 1),
        ("Elle naît en Saxe.", 1),
        ("Nace en Sajonia.", 1),
        ("De rivier ontspringt in Saksen.", 1),
        ("Nicht in Bayern, sondern in Sachsen.", 1),
    ],
)
def test_a_place_by_its_other_name(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, _TOWN).score == score


def test_an_english_answer_to_another_language_s_set() -> None:
    key = AnswerKey(
        "k",
        "Was hat der Müller im Speicher versteckt?",
        ("Honig",),
        elements=(Element("Honig"),),
        needles=(Needle("n", "Der Müller hat im Speicher Honig versteckt.", ("Honig",)),),
    )
    assert judge_by_rubric("The miller hid the honey there.", key).score == 10
    assert judge_by_rubric("The miller hid the butter there.", key).score == 1


def test_translated_items_that_nobody_can_read_are_missing_not_wrong() -> None:
    key = AnswerKey(
        "k",
        "Which three effects of the balm are very common?",
        ("languor, hiccups, and pins and needles",),
        elements=(Element("languor"), Element("hiccups"), Element("drooling")),
        needles=(Needle("n", "Very common effects of the balm: languor, hiccups, drooling.", ()),),
    )
    for answer in (
        "Muy frecuentes: languidez, hipo y babeo.",
        "Muito frequentes: languidez, soluços e salivação.",
        "Muy frecuentes: dejadez, hipo y sialorrea.",
    ):
        verdict = judge_by_rubric(answer, key)
        assert verdict.wrong == ()
        assert verdict.unsure is not None
        assert verdict.unsure.highest == 10


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("figues, prosciutto, fromage de chèvre et ananas", ("ananas",)),
        ("Feigen, Prosciutto, Ziegenkäse und Ananas", ("ananas",)),
        ("higos, prosciutto, queso de cabra y piña", ("piña",)),
        ("Feigen, Prosciutto und Ziegenkäse", ()),
        ("Figos, presunto (prosciutto) e queijo de cabra.", ()),
        ("Feigen (getrocknet), Prosciutto und Ziegenkäse.", ()),
    ],
)
def test_what_stands_beside_a_complete_translated_list_is_wrong(answer: str, wrong: tuple[str, ...]) -> None:
    verdict = judge_by_rubric(answer, key_of("pizza-ingredients", 1))
    assert (len(verdict.found), verdict.wrong) == (3, wrong)
