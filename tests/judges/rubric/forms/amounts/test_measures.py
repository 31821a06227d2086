"""Amounts with their units, years and numbers, as ten languages write and say them."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element

_QUESTIONS = {
    "en": "How much was it and when was it?",
    "de": "Wie viel war es und wann war das nicht?",
    "fr": "Combien est-ce que c'était et quand était-ce dans le village?",
    "es": "¿Cuánto era y cuándo fue lo que se dijo en el pueblo?",
    "it": "Quanto era e quando è stato nel paese della nonna?",
    "pt": "Quanto era e quando foi que não se disse isso na aldeia?",
    "ru": "Сколько это было и когда это было в деревне?",
    "zh": "这是多少，是什么时候的事？",
    "ja": "それはいくらで、いつのことですか。",
    "ko": "얼마였고 언제였습니까?",
}


def is_named(name: str, text: str, language: str) -> bool:
    key = AnswerKey(name="s", question=_QUESTIONS[language], elements=(Element(name),))
    return [mention.name for mention in find_mentions(normalise(text), names_of(key))] == [name]


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        (
            "en",
            "2.5 gallons",
            ("two and a half gallons", "2 1/2 gal", "2½ gallons of cider", "2.5 gal."),
            ("2 gallons", "12.5 gallons", "two gallons"),
        ),
        (
            "en",
            "1.5 ounces",
            ("1.5 oz", "one and a half ounces", "an ounce and a half of saffron", "1½ oz."),
            ("1 ounce", "an ounce", "5 oz", "11.5 oz"),
        ),
        (
            "en",
            "0.5 pounds",
            ("half a pound", "1/2 lb", "0.5 lb", "8 ounces", "½ lb of flour"),
            ("a pound", "5 lb"),
        ),
        (
            "en",
            "5 ft 9 in",
            ("5'9\"", "five feet nine", "5 feet 9 inches", "69 inches"),
            ("5 ft 8 in", "5 feet"),
        ),
        (
            "en",
            "£4.20",
            ("four pounds twenty", "4.20 GBP", "4 pounds 20", "£ 4.20", "420 pence", "4 pounds and 20 pence"),
            ("£4.21", "£4", "4.2 euros"),
        ),
        (
            "en",
            "1 hour 25 minutes",
            (
                "85 minutes",
                "1h25",
                "an hour and twenty-five minutes",
                "one hour, 25 minutes",
                "1 hr 25 min",
                "1 h 25 min",
            ),
            ("1 hour", "25 minutes", "1 hour 20 minutes"),
        ),
        (
            "en",
            "-8 °C",
            (
                "minus eight degrees",
                "-8°C",
                "eight degrees below zero",
                "8 °C below zero",
                "minus 8 degrees Celsius",
                "−8 °C",
            ),
            ("8 °C", "8 degrees", "minus 18 °C", "-8 °F", "minus 8 degrees Fahrenheit"),
        ),
        (
            "en",
            "8 °C",
            ("8 degrees", "8C", "eight degrees Celsius"),
            ("-8 °C", "minus 8 °C", "8 degrees below zero", "8 °F", "8 degrees Fahrenheit"),
        ),
        (
            "en",
            "1843",
            ("eighteen forty-three", "in 1843", "eighteen hundred and forty-three"),
            ("eighteen forty-four", "1844"),
        ),
        ("en", "70 mph", ("seventy miles per hour", "70 miles an hour"), ("70 miles", "70 km/h")),
        (
            "de",
            "7,25 Euro",
            (
                "7,25 €",
                "7,25 EUR",
                "sieben Euro fünfundzwanzig",
                "7 Euro 25",
                "725 Cent",
                "€ 7,25",
                "7.25 Euro",
                "sieben Euro und fünfundzwanzig Cent",
            ),
            ("7 Euro", "7,20 Euro", "17,25 Euro", "sieben Euro zwanzig"),
        ),
        (
            "de",
            "minus 9 Grad",
            ("-9 °C", "neun Grad unter null", "minus neun Grad", "-9°", "9 Grad unter Null"),
            ("9 Grad", "plus neun Grad", "-19 °C"),
        ),
        (
            "de",
            "anderthalb Stunden",
            (
                "1,5 Stunden",
                "90 Minuten",
                "eineinhalb Stunden",
                "1 Std. 30 Min.",
                "eine Stunde und dreißig Minuten",
                "1½ h",
            ),
            ("eine Stunde", "2,5 Stunden"),
        ),
        ("de", "2,5 Kilo", ("zweieinhalb Kilogramm", "2,5 kg", "2500 g", "2.500 Gramm"), ("2 kg", "5 kg")),
        ("de", "1784", ("siebzehnhundertvierundachtzig", "im Jahr 1784"), ("siebzehnhundertfünfundachtzig",)),
        ("de", "zwölf", ("12 Personen passen hinein", "zwölf sind es"), ("zweiundzwanzig", "11", "112")),
        ("de", "3 Esslöffel", ("3 EL", "drei Esslöffel voll"), ("3 TL",)),
        (
            "fr",
            "12,40 €",
            ("douze euros quarante", "12 euros et 40 centimes", "12,40 EUR", "12€40", "12.40 euros"),
            ("12 euros", "2,40 €", "12,45 €"),
        ),
        (
            "fr",
            "2 heures 30",
            ("deux heures et demie de marche", "150 minutes", "2h30", "2 h 30 min"),
            ("deux heures",),
        ),
        ("fr", "une livre et demie", ("1,5 livre", "1 1/2 livre"), ("une livre",)),
        (
            "fr",
            "1685",
            ("mille six cent quatre-vingt-cinq", "seize cent quatre-vingt-cinq"),
            ("mille six cent quatre-vingts",),
        ),
        (
            "fr",
            "-6 °C",
            ("moins six degrés", "six degrés sous zéro", "moins 6 degrés"),
            ("6 °C", "six degrés"),
        ),
        (
            "es",
            "2 minutos y 35 segundos",
            (
                "2 min 35 s",
                "2'35''",
                "2'35\"",
                "dos minutos y treinta y cinco segundos",
                "2:35",
                "155 segundos",
                "dos minutos, 35 segundos",
            ),
            ("2 minutos", "35 segundos", "2 minutos y 36 segundos", "12'35''"),
        ),
        ("es", "una hora y media", ("1,5 horas", "90 minutos", "1 h 30 min"), ("una hora", "media hora")),
        (
            "es",
            "3 grados bajo cero",
            ("-3 °C", "menos tres grados", "tres grados bajo cero"),
            ("3 grados", "3 °C"),
        ),
        ("es", "1898", ("mil ochocientos noventa y ocho",), ("mil ochocientos noventa",)),
        ("es", "15 céntimos", ("quince céntimos", "0,15 €", "0,15 euros"), ("15 euros",)),
        (
            "it",
            "4,60 euro",
            ("quattro euro e sessanta", "4,60 €", "4 euro e 60 centesimi"),
            ("4 euro", "46 euro"),
        ),
        ("it", "1 kg e mezzo", ("1,5 kg", "un chilo e mezzo", "1500 grammi"), ("1 kg", "mezzo chilo")),
        ("it", "1861", ("milleottocentosessantuno", "nel 1861"), ("milleottocentosessantadue",)),
        ("pt", "6,90 reais", ("R$ 6,90", "seis reais e noventa", "6 reais e 90 centavos"), ("6 reais",)),
        ("pt", "2 horas e 15 minutos", ("2h15", "duas horas e quinze minutos", "135 minutos"), ("2 horas",)),
        ("pt", "1755", ("mil setecentos e cinquenta e cinco",), ("mil setecentos e cinquenta",)),
        (
            "ru",
            "1904",
            (
                "в тысяча девятьсот четвёртом году",
                "тысяча девятьсот четвертого года",
                "тысяча девятьсот четыре",
            ),
            ("в тысяча девятьсот пятом году",),
        ),
        (
            "ru",
            "минус 21 градус",
            ("-21 °C", "двадцать один градус мороза", "21 градус ниже нуля", "минус двадцать один градус"),
            ("21 градус", "минус 11 градусов"),
        ),
        (
            "ru",
            "1,5 кг",
            ("полтора килограмма", "1.5 кг", "1500 граммов", "полтора кило"),
            ("килограмм", "5 кг"),
        ),
        (
            "ru",
            "2 часа 40 минут",
            ("2 ч 40 мин", "два часа сорок минут", "160 минут", "2 ч. 40 мин."),
            ("2 часа",),
        ),
        ("ru", "350 рублей", ("350 руб.", "350 ₽", "триста пятьдесят рублей"), ("35 рублей", "350 евро")),
        ("zh", "零下7度", ("-7℃", "零下七度", "零下7摄氏度", "负7度"), ("7度", "7℃", "零下17度")),
        ("zh", "2小时20分钟", ("两小时二十分钟", "2个小时20分", "140分钟"), ("2小时", "20分钟")),
        ("zh", "一斤半", ("1.5斤", "一斤半糖"), ("一斤",)),
        ("zh", "350元", ("三百五十元", "350块", "¥350", "350元人民币"), ("35元",)),
        ("ja", "氷点下5度", ("-5℃", "マイナス5度", "氷点下五度"), ("5度", "5℃")),
        ("ja", "1時間半", ("90分", "1時間30分", "一時間半"), ("1時間",)),
        ("ja", "800円", ("八百円", "¥800"), ("80円", "1800円")),
        ("ja", "1868年", ("千八百六十八年", "一八六八年"), ("千八百六十九年",)),
        ("ko", "영하 8도", ("-8℃", "영하 팔 도", "-8°C", "마이너스 8도"), ("8도", "영하 18도", "8℃")),
        ("ko", "1시간 30분", ("90분", "한 시간 반", "한 시간 삼십 분"), ("1시간", "30분")),
        ("ko", "4500원", ("4,500원", "사천오백 원", "₩4,500"), ("450원",)),
        (
            "en",
            "3/4 cup",
            ("three quarters of a cup", "¾ cup", "0.75 cups", "three-quarters cup"),
            ("3 cups", "1/4 cup"),
        ),
        (
            "en",
            "600 m²",
            ("600 square metres", "600 sq m", "six hundred square meters"),
            ("600 metres", "60 m²"),
        ),
        ("en", "6'2\"", ("six feet two", "6 ft 2 in", "6 feet 2 inches"), ("6'3\"", "6 ft")),
        (
            "en",
            "45 minutes",
            ("three quarters of an hour", "45 min", "0.75 hours", "forty-five mins"),
            ("45 seconds", "1 hour 45 minutes", "4 minutes"),
        ),
        ("en", "1 mile", ("one mile", "1 mi"), ("11 miles", "1 km", "2 miles")),
        ("en", "5 stone 4", ("5 st 4", "five stone four"), ("5 stone",)),
        ("en", "98.6 °F", ("98.6 degrees Fahrenheit", "98.6F", "98.6 degrees"), ("98.6 °C", "986 °F")),
        ("de", "2,5 %", ("zweieinhalb Prozent", "2,5 Prozent"), ("25 %", "2 %")),
        (
            "de",
            "ein halber Liter",
            ("0,5 Liter", "½ l", "500 ml", "einen halben Liter Milch"),
            ("ein Liter", "5 Liter"),
        ),
        (
            "de",
            "drei viertel Stunden",
            ("45 Minuten", "eine Dreiviertelstunde", "dreiviertel Stunde"),
            ("3 Stunden",),
        ),
        (
            "fr",
            "80 km/h",
            ("quatre-vingts kilomètres à l'heure", "80 kilomètres-heure", "80 kilomètres par heure"),
            ("80 km",),
        ),
        ("fr", "un quart de litre", ("25 cl", "0,25 litre", "250 ml"), ("un litre", "4 litres")),
        ("es", "medio kilo", ("500 g", "0,5 kg", "500 gramos", "1/2 kilo"), ("un kilo", "5 kilos")),
        (
            "es",
            "3.200 pesetas",
            ("3200 pesetas", "tres mil doscientas pesetas", "3 200 pesetas"),
            ("320 pesetas", "3.300 pesetas"),
        ),
        ("es", "un cuarto de hora", ("15 minutos", "quince minutos"), ("una hora", "4 horas")),
        (
            "es",
            "1,80 m",
            ("un metro ochenta", "180 cm", "1,8 metros", "1 metro y 80 centímetros"),
            ("1,08 m", "18 m"),
        ),
        ("it", "mezz'ora", ("30 minuti", "trenta minuti", "mezza ora"), ("un'ora",)),
        ("it", "2 etti", ("due etti", "200 g", "200 grammi"), ("2 kg",)),
        ("pt", "14 contos", ("catorze contos", "quatorze contos"), ("4 contos",)),
        ("ru", "полчаса", ("30 минут", "тридцать минут", "0,5 часа"), ("час", "3 часа")),
        ("ru", "12 вёрст", ("двенадцать верст", "12 верст"), ("2 версты",)),
        ("zh", "两万五千元", ("25000元", "2.5万元", "两万五千块"), ("2500元",)),
        ("zh", "半个小时", ("30分钟", "三十分钟", "半小时"), ("1个小时",)),
        ("ko", "스물다섯 명", ("25명", "이십오 명", "25 명"), ("20명", "15명")),
        ("ko", "2만 5천 원", ("25,000원", "이만 오천 원", "25000원"), ("2,500원",)),
        ("ko", "1킬로 반", ("1.5킬로그램", "1.5kg", "1500g"), ("1킬로",)),
        (
            "en",
            "1 hour",
            ("one hour", "60 minutes"),
            ("1 hour 20 minutes", "2 hours", "1 hour and 5 minutes"),
        ),
    ],
)
def test_the_same_amount_and_another(
    language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []
