from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.haystacks.corpus import load_corpus
from niah.text.sentences import english_borders, script_borders, sentence_spans, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rained.", "Nobody minded."],
        ["Really?", "Yes!", "Oh…", "Well..."],
        ["“Go home!”", "She went."],
        ['He said "no."', '"Why not?"', "(I asked.)", "Then he left."],
        ["It was _very_ cold._", "Snow fell."],
        ["In 1969.", "7 men came."],
        ["It grew by 3.5.", "The rest shrank."],
        ["Élan was lost.", "Été came."],
        ["Then so do I.", "Perhaps not."],
        ["They sell pens, ink, etc.", "The shop is shut."],
        ["We met at 5 p.m.", "It was dark."],
        ["He lives in the U.S.", "She does not."],
        ["That was in May.", "June was worse."],
        ["She called him “Mr.”", "He did not mind."],
        ["There was no.", "None came."],
    ],
)
def test_splits_between_sentences(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_the_next_paragraph_does_not_say_where_this_one_has_a_border() -> None:
    for after in ("", "\n\nThe rest is lost.", "\n \nIt is."):
        assert sentence_spans(f"They lived in the U.S. 1945{after}", 0, 27) == [(0, 27)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Mr. Hale met Dr. Orme of St. Ives.",
        "Take one, e.g. Paris, or two, i.e. Paris and Rome.",
        "It was Hume vs. Kant again.",
        "See Fig. 3 and No. 12 on p. 7, vol. 2, of Jan. 5 and Dec. 24.",
        "J. K. Orme and Henry I. J. Hale wrote it.",
        "It cost 3.50 and weighed 1.25 kg.",
        "The U.S. Navy and Hale Jr. Stayed.",
        "Pens, ink, etc. were sold.",
        "Wait... what did he say?",
        "1. First of all, it rained.",
        "A. The first answer.",
    ],
)
def test_keeps_one_sentence_whole(sentence: str) -> None:
    assert split_sentences(sentence) == [sentence]


_WORDS = st.text(alphabet=st.sampled_from("aBÉz0.!?…\"'”)(“_-ЖжคЯ।。"), min_size=1, max_size=6)
_PROSE = st.lists(_WORDS | st.sampled_from(["Mr.", "etc.", "The", "No.", "I.", "A."]), max_size=30).map(
    " ".join
)


@settings(deadline=None)
@given(_PROSE | st.text(alphabet=st.characters(exclude_categories=["Cc", "Z", "Cs"])))
def test_nothing_but_the_spaces_between_sentences_is_left_out(paragraph: str) -> None:
    sentences = split_sentences(paragraph)
    assert "".join(sentences).replace(" ", "") == paragraph.replace(" ", "")
    assert all(sentence.strip() for sentence in sentences)


@pytest.mark.parametrize("stops", [".", "!", "…", ". ", '."', "。", "。」", "？", "א.", "ไทย "])
def test_a_page_of_stops_is_read_in_time_that_grows_with_it(stops: str) -> None:
    begun = time.process_time()
    assert "".join(split_sentences("Dots " + stops * 60_000)).startswith("Dots ")
    assert time.process_time() - begun < 5  # where each stop was tried anew: minutes


# The sentences of a text, by "|".
SPACED = {
    "German": (
        "Am 3. Oktober kam Dr. Weber, z. B. mit Fr. Ähren.|„Wer ist da?“, fragte sie "
        "leise.|»Niemand.«|Über uns stand der Mond.|Er rief: „Komm!“|Sie kam."
    ),
    "French": (
        "M. Dupont est parti à 8 h. du matin.|« Où va-t-il ? » demanda Élise.|« Nulle part. »|Elle "
        "ne le crut pas !|Éric non plus."
    ),
    "Spanish": "¿Quién llamó?|El Sr. Gómez abrió la puerta.|¡Qué sorpresa!|¿Y tú?|Eran las tres.",
    "Polish": "Dr hab. Łucja Żak przyszła z tzw. gościem.|Świeciło słońce.|Łódka stała przy brzegu.",
    "Russian": (
        "В 1905 г. он уехал в Москву.|«Кто там?» — спросила она.|Т. е. никто не знал.|А. С. Пушкин и "
        "др. гости молчали…|Иван ушёл.|«Пора!»|Она встала."
    ),
    "Greek": "Πού πας;|Ο κ. Παπαδόπουλος και ο δρ. Ζήσης έφυγαν.|Ήταν αργά, π.χ. μετά τις δέκα.|Έβρεχε.",
    "Arabic": ("وصل القطار متأخرا.|هل رأيت المفتاح؟|قال د. أحمد إنه على الطاولة.|خرجت المرأة من البيت!|نعم."),
    "Persian": "او به بازار رفت.|آیا کسی آمد؟|نه، هیچ‌کس نیامد.|باران می‌بارید.",
    "Urdu": "وہ بازار گیا۔|کیا تم نے چابی دیکھی؟|نہیں۔",
    "Hebrew": "הוא הלך לשוק.|האם ראית את המפתח?|פרופ. כהן לא ראה.",
    "Hindi": "वह बाज़ार गया।|क्या तुमने चाबी देखी?|नहीं, डॉ. शर्मा ने नहीं देखी।|बारिश होने लगी।",
    "Bengali": "সে বাজারে গেল।|তুমি কি চাবি দেখেছ?|না।",
    "Tamil": "அவர் சந்தைக்குச் சென்றார்.|திரு. குமரன் வந்தாரா?|இல்லை.",
    "Korean": "그는 아침에 시장에 갔다.|“열쇠를 보았니?”라고 물었다.|네.|비가 3.5mm 왔다.|아무도 몰랐다.",
    "Armenian": "Նա գնաց շուկա։|Ոչ ոք չեկավ։",
    "Amharic": "እሱ ወደ ገበያ ሄደ።|ማን መጣ፧|ማንም።",
    "Thai": ("แม่ค้าขายปลาอยู่ที่ท่าเรือเก่า และกลับบ้านตอนเย็น|ชาวประมงคนหนึ่งซ่อมแหอยู่ริมคลอง 3 วัน|ฝนตกทั้งคืน"),
    "English in Thai": ("ชาวประมงคนหนึ่งซ่อมแหอยู่ริมคลอง|The harbour master keeps the brass key.|ฝนตกทั้งคืน"),
    "Chinese in English": "The gate was shut.|暗号是十七。|He knew it.",
}
UNSPACED = {
    "Chinese": (
        "他早上去了市场。|“你看见钥匙了吗？”她问。|没有！|雨下得很大……没人知道。|（他不知道。）|"
        "船开了。|真的吗?|是的。"
    ),
    "Japanese": (
        "彼は朝、市場へ行った。|「鍵を見た？」と彼女は聞いた。|いいえ！|"
        "「もう遅い。」と彼は言った。|雨が降っていた。"
    ),
    "Burmese": "သူဈေးသွားသည်။|မိုးရွာသည်။",
    "English in Chinese": "他早上去了市场。|The harbour master keeps the key. |船开了。",
}


@pytest.mark.parametrize("language", SPACED)
def test_sentences_of_scripts_with_spaces(language: str) -> None:
    expected = SPACED[language].split("|")
    assert split_sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("language", UNSPACED)
@pytest.mark.parametrize("between", ["", " "])
def test_sentences_of_scripts_without_spaces(language: str, between: str) -> None:
    sentences = UNSPACED[language].split("|")
    assert split_sentences(between.join(sentences)) == [sentence.strip() for sentence in sentences]


def test_latin_prose_has_the_same_borders_by_the_rules_of_any_script() -> None:
    text = load_corpus("essays", "cl100k").text
    assert list(script_borders(text, 0, len(text))) == list(english_borders(text, 0, len(text)))


_MESSY = st.text(alphabet=st.sampled_from("aBЖж他a5ก ค。！？।؟.…!«»“”「」;Ω \n"), max_size=60)


@given(_MESSY)
def test_borders_are_white_space_or_nothing_and_go_forward(text: str) -> None:
    at = 0
    for stop, following in script_borders(text, 0, len(text)):
        assert at < stop <= following < len(text)
        assert not text[stop:following].strip()
        at = following
