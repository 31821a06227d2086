from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.haystacks.load import load_corpus
from niah.text.english_borders import english_borders
from niah.text.script_borders import script_borders
from niah.text.sentences import split_sentences

SPACED = {
    "German": [
        "Am 3. Oktober kam Dr. Weber, z. B. mit Fr. Ähren.",
        "„Wer ist da?“, fragte sie leise.",
        "»Niemand.«",
        "Über uns stand der Mond.",
        "Er rief: „Komm!“",
        "Sie kam.",
    ],
    "French": [
        "M. Dupont est parti à 8 h. du matin.",
        "« Où va-t-il ? » demanda Élise.",
        "« Nulle part. »",
        "Elle ne le crut pas !",
        "Éric non plus.",
    ],
    "Spanish": [
        "¿Quién llamó?",
        "El Sr. Gómez abrió la puerta.",
        "¡Qué sorpresa!",
        "¿Y tú?",
        "Eran las tres.",
    ],
    "Polish": ["Dr hab. Łucja Żak przyszła z tzw. gościem.", "Świeciło słońce.", "Łódka stała przy brzegu."],
    "Russian": [
        "В 1905 г. он уехал в Москву.",
        "«Кто там?» — спросила она.",
        "Т. е. никто не знал.",
        "А. С. Пушкин и др. гости молчали…",
        "Иван ушёл.",
        "«Пора!»",
        "Она встала.",
    ],
    "Greek": [
        "Πού πας;",
        "Ο κ. Παπαδόπουλος και ο δρ. Ζήσης έφυγαν.",
        "Ήταν αργά, π.χ. μετά τις δέκα.",
        "Έβρεχε.",
    ],
    "Arabic": [
        "وصل القطار متأخرا.",
        "هل رأيت المفتاح؟",
        "قال د. أحمد إنه على الطاولة.",
        "خرجت المرأة من البيت!",
        "نعم.",
    ],
    "Persian": ["او به بازار رفت.", "آیا کسی آمد؟", "نه، هیچ‌کس نیامد.", "باران می‌بارید."],
    "Urdu": ["وہ بازار گیا۔", "کیا تم نے چابی دیکھی؟", "نہیں۔"],
    "Hebrew": ["הוא הלך לשוק.", "האם ראית את המפתח?", "פרופ. כהן לא ראה."],
    "Hindi": ["वह बाज़ार गया।", "क्या तुमने चाबी देखी?", "नहीं, डॉ. शर्मा ने नहीं देखी।", "बारिश होने लगी।"],
    "Bengali": ["সে বাজারে গেল।", "তুমি কি চাবি দেখেছ?", "না।"],
    "Tamil": ["அவர் சந்தைக்குச் சென்றார்.", "திரு. குமரன் வந்தாரா?", "இல்லை."],
    "Korean": [
        "그는 아침에 시장에 갔다.",
        "“열쇠를 보았니?”라고 물었다.",
        "네.",
        "비가 3.5mm 왔다.",
        "아무도 몰랐다.",
    ],
    "Armenian": ["Նա գնաց շուկա։", "Ոչ ոք չեկավ։"],
    "Amharic": ["እሱ ወደ ገበያ ሄደ።", "ማን መጣ፧", "ማንም።"],
    "Thai": ["แม่ค้าขายปลาอยู่ที่ท่าเรือเก่า และกลับบ้านตอนเย็น", "ชาวประมงคนหนึ่งซ่อมแหอยู่ริมคลอง 3 วัน", "ฝนตกทั้งคืน"],
    "English in Thai": ["ชาวประมงคนหนึ่งซ่อมแหอยู่ริมคลอง", "The harbour master keeps the brass key.", "ฝนตกทั้งคืน"],
    "Chinese in English": ["The gate was shut.", "暗号是十七。", "He knew it."],
}
UNSPACED = {
    "Chinese": [
        "他早上去了市场。",
        "“你看见钥匙了吗？”她问。",
        "没有！",
        "雨下得很大……没人知道。",
        "（他不知道。）",
        "船开了。",
        "真的吗?",
        "是的。",
    ],
    "Japanese": [
        "彼は朝、市場へ行った。",
        "「鍵を見た？」と彼女は聞いた。",
        "いいえ！",
        "「もう遅い。」と彼は言った。",
        "雨が降っていた。",
    ],
    "Burmese": ["သူဈေးသွားသည်။", "မိုးရွာသည်။"],
    "English in Chinese": ["他早上去了市场。", "The harbour master keeps the key. ", "船开了。"],
}


@pytest.mark.parametrize("language", SPACED)
def test_sentences_of_scripts_with_spaces(language: str) -> None:
    assert split_sentences(" ".join(SPACED[language])) == SPACED[language]


@pytest.mark.parametrize("language", UNSPACED)
@pytest.mark.parametrize("between", ["", " "])
def test_sentences_of_scripts_without_spaces(language: str, between: str) -> None:
    expected = [sentence.strip() for sentence in UNSPACED[language]]
    assert split_sentences(between.join(UNSPACED[language])) == expected


def test_latin_prose_has_the_same_borders_by_the_rules_of_any_script() -> None:
    text = load_corpus("essays", "cl100k").text
    assert list(script_borders(text, 0, len(text))) == list(english_borders(text, 0, len(text)))


def test_one_foreign_word_moves_no_other_border() -> None:
    text = "Mr. Hale came at 5 p.m. on Monday. “No,” he said. Was it true? See Fig. 3 of St. Ives. He left."
    assert split_sentences(f"{text} Жук.") == [*split_sentences(text), "Жук."]


_MESSY = st.text(alphabet=st.sampled_from("aBЖж他a5ก ค。！？।؟.…!«»“”「」;Ω \n"), max_size=60)


@given(_MESSY)
def test_borders_are_white_space_or_nothing_and_go_forward(text: str) -> None:
    at = 0
    for stop, following in script_borders(text, 0, len(text)):
        assert at < stop <= following < len(text)
        assert not text[stop:following].strip()
        at = following
