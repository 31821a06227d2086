"""Numbers, sums, dates and times of day as ten languages say them, and others that are near."""

from __future__ import annotations

import pytest

from tests.judges.rubric.forms.amounts.test_measures import is_named


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        (
            "en",
            "88",
            ("double eight", "88", "eighty-eight", "eight-eight", "eighty eight"),
            ("double nine", "eight", "880", "double eight eight"),
        ),
        (
            "en",
            "407",
            ("four-oh-seven", "four oh seven", "four zero seven", "four hundred and seven", "407"),
            ("four seven", "forty-seven", "four-oh-eight", "four-oh-seven-two"),
        ),
        (
            "en",
            "7733",
            (
                "double seven, double three",
                "seven seven three three",
                "seventy-seven thirty-three",
                "seven-seven-double-three",
            ),
            ("double seven, double four", "seven three three", "double seven"),
        ),
        ("en", "5000", ("five thousand", "5,000", "5k", "5 000"), ("fifty thousand", "500")),
        (
            "en",
            "1,250,000",
            (
                "1.25 million",
                "a million and a quarter",
                "one and a quarter million",
                "1¼ million",
                "one million two hundred and fifty thousand",
                "1250000",
                "1.25 million SEK",
            ),
            ("1.2 million", "125,000", "a quarter of a million", "12.5 million"),
        ),
        (
            "en",
            "750,000",
            (
                "three quarters of a million",
                "three-quarters of a million",
                "0.75 million",
                "750 thousand",
                "750k",
            ),
            ("a quarter of a million", "75,000", "750 million"),
        ),
        (
            "en",
            "3,400,000",
            ("3.4 million", "three point four million", "three million four hundred thousand"),
            ("34 million", "3.4 thousand", "3 million"),
        ),
        (
            "en",
            "2 billion",
            ("2,000,000,000", "two billion", "2 bn", "2000 million"),
            ("2 million", "20 billion"),
        ),
        (
            "en",
            "615",
            ("six-fifteen", "six one five", "six hundred fifteen"),
            ("six-sixteen", "six fifty", "sixteen fifteen"),
        ),
        (
            "en",
            "0042",
            ("double-oh four two", "zero zero four two", "oh oh four two", "nought nought four two"),
            ("forty-two four", "oh four two"),
        ),
        (
            "de",
            "340000",
            ("340.000", "340 000", "dreihundertvierzigtausend", "340 Tausend", "0,34 Millionen"),
            ("34.000", "3,4 Millionen"),
        ),
        (
            "de",
            "1500000",
            ("1,5 Millionen", "anderthalb Millionen", "eineinhalb Millionen", "1,5 Mio.", "1.500.000"),
            ("5 Millionen", "1,5 Milliarden"),
        ),
        (
            "de",
            "2207",
            ("zwo zwo null sieben", "zwei zwei null sieben", "zweitausendzweihundertsieben"),
            ("zwo zwo sieben", "2270"),
        ),
        ("fr", "91", ("quatre-vingt-onze", "91 personnes"), ("quatre-vingt-un", "19")),
        (
            "fr",
            "2500000",
            ("2,5 millions", "deux millions et demi", "2 500 000"),
            ("2 millions", "25 millions"),
        ),
        (
            "es",
            "1200000",
            ("1,2 millones", "un millón doscientos mil", "1.200.000"),
            ("12 millones", "1,2 mil"),
        ),
        ("es", "703", ("siete cero tres", "setecientos tres"), ("setenta y tres", "siete tres")),
        ("it", "3500000", ("3,5 milioni", "tre milioni e mezzo", "3.500.000"), ("3 milioni", "35 milioni")),
        (
            "pt",
            "1800000",
            ("1,8 milhões", "um milhão e oitocentos mil", "1.800.000"),
            ("8 milhões", "1,8 mil"),
        ),
        ("pt", "66", ("meia meia", "sessenta e seis", "seis seis"), ("meia", "sessenta")),
        (
            "ru",
            "1200000",
            ("1,2 миллиона", "миллион двести тысяч", "1,2 млн", "1 200 000"),
            ("12 миллионов", "1,2 тысячи"),
        ),
        (
            "ru",
            "48 парт",
            ("сорок восемь парт", "о сорока восьми партах", "с сорока восемью партами", "48 парт"),
            ("сорок парт", "сорока семи партах", "восемь парт"),
        ),
        (
            "ru",
            "200 жёлудей",
            ("двести желудей", "двумястами желудями", "около двухсот желудей", "к двумстам жёлудям"),
            ("двадцать желудей", "трёхсот желудей"),
        ),
        (
            "ru",
            "17 лошадей",
            ("семнадцать лошадей", "семнадцатью лошадьми", "из семнадцати лошадей"),
            ("семь лошадей", "семидесяти лошадей"),
        ),
        (
            "ru",
            "3 лодки",
            ("три лодки", "на трёх лодках", "тремя лодками"),
            ("четыре лодки", "тринадцать лодок"),
        ),
        ("ru", "2 ведра", ("два ведра", "двумя вёдрами", "о двух вёдрах"), ("три ведра", "двенадцать вёдер")),
        (
            "ru",
            "1500 саженцев",
            (
                "полторы тысячи саженцев",
                "тысяча пятьсот саженцев",
                "около полутора тысяч саженцев",
                "тысячу пятьсот саженцев",
            ),
            ("тысяча саженцев", "полсотни саженцев"),
        ),
        (
            "ru",
            "340 рублей",
            ("триста сорок рублей", "трёхсот сорока рублей", "тремястами сорока рублями", "340 руб."),
            ("триста рублей", "сорок рублей"),
        ),
        (
            "ru",
            "75 рублей",
            ("шла за семьдесят пять.", "семьдесят пять рублей", "семидесяти пяти рублях"),
            ("семьдесят рублей", "семьдесят пять копеек"),
        ),
        (
            "ru",
            "25 учеников",
            ("двадцать пять учеников", "двадцатью пятью учениками"),
            ("двадцать учеников", "пять учеников"),
        ),
        ("zh", "1200000", ("120万", "一百二十万", "1,200,000"), ("12万", "1200万")),
        ("zh", "350000人", ("35万人", "三十五万人"), ("3.5万人", "350人")),
        ("ja", "25000冊", ("2万5千冊", "二万五千冊", "2.5万冊"), ("2500冊", "2万冊")),
        ("ko", "120만 명", ("1,200,000명", "백이십만 명", "120만명"), ("12만 명", "1200만 명")),
        ("ko", "64개", ("예순네 개", "육십사 개", "64개가 들어갑니다"), ("예순세 개", "46개")),
        ("ko", "15마리", ("열다섯 마리", "십오 마리"), ("다섯 마리", "열여섯 마리")),
        (
            "en",
            "18,500 people",
            ("eighteen and a half thousand people", "18.5 thousand people", "18,500"),
            ("18,000 people", "185,000 people"),
        ),
        ("en", "1/3", ("a third", "one third", "one-third of them"), ("two thirds", "a thirtieth")),
        (
            "en",
            "2.75",
            ("two and three quarters", "2 3/4", "two point seven five", "2¾"),
            ("two and a quarter", "275"),
        ),
        (
            "de",
            "0,75 Liter",
            ("ein dreiviertel Liter", "750 ml", "0.75 l", "drei viertel Liter"),
            ("ein Viertelliter", "75 Liter"),
        ),
        ("en", "12 dozen", ("144", "twelve dozen"), ("120",)),
        (
            "fr",
            "une trentaine de moutons",
            ("environ trente moutons", "une trentaine de moutons", "30 moutons"),
            ("une vingtaine de moutons", "300 moutons"),
        ),
        ("it", "una ventina di barche", ("circa venti barche", "20 barche"), ("una trentina di barche",)),
        ("es", "una decena de mulas", ("diez mulas", "unas 10 mulas"), ("una docena de mulas",)),
        ("de", "ein Dutzend Kerzen", ("zwölf Kerzen", "12 Kerzen"), ("zehn Kerzen", "zwei Dutzend Kerzen")),
        ("ru", "дюжина свечей", ("двенадцать свечей", "12 свечей", "дюжиной свечей"), ("десять свечей",)),
    ],
)
def test_numbers(language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        (
            "en",
            "12 June",
            ("the twelfth of June", "June 12th", "12th June", "on June the 12th", "12/6", "12 Jun"),
            ("21 June", "12 July", "June 2"),
        ),
        (
            "en",
            "30 May",
            ("May 30", "the thirtieth of May", "30th of May", "30.5."),
            ("30 March", "3 May", "13 May"),
        ),
        (
            "de",
            "31. Januar",
            ("einunddreißigster Januar", "am einunddreißigsten Januar", "31.1.", "31.01."),
            ("30. Januar", "31. März", "13. Januar"),
        ),
        (
            "de",
            "3. Mai 1912",
            ("dritter Mai 1912", "03.05.1912", "am dritten Mai 1912", "3.5.1912"),
            ("3. März 1912", "3. Mai 1921"),
        ),
        ("fr", "1er mai", ("le premier mai", "1 mai", "le 1er mai"), ("le 11 mai", "le premier mars")),
        ("fr", "22 août", ("vingt-deux août", "le 22/08", "22 aout"), ("le 2 août", "le 22 avril")),
        (
            "es",
            "17 de octubre",
            ("diecisiete de octubre", "el 17/10", "17 octubre"),
            ("7 de octubre", "17 de agosto"),
        ),
        (
            "pt",
            "3 de março",
            ("no dia três de março", "três de março", "3/3", "03/03"),
            ("13 de março", "3 de maio", "treze de março"),
        ),
        (
            "pt",
            "1 de abril",
            ("primeiro de abril", "1º de abril", "um de abril"),
            ("11 de abril", "primeiro de agosto"),
        ),
        ("it", "8 settembre", ("l'otto settembre", "otto settembre", "8/9"), ("18 settembre", "8 novembre")),
        ("it", "1 maggio", ("il primo maggio", "1° maggio"), ("11 maggio", "primo marzo")),
        (
            "ru",
            "14 февраля",
            ("четырнадцатого февраля", "четырнадцатое февраля", "14.02", "14 февр."),
            ("4 февраля", "двадцать четвёртого февраля", "14 января"),
        ),
        (
            "ru",
            "3 марта",
            ("третьего марта", "третье марта", "в ночь на третье марта"),
            ("тринадцатого марта", "3 мая"),
        ),
        ("zh", "10月7日", ("十月七日", "十月七号", "10月7号"), ("10月17日", "七月十日")),
        ("ja", "3月21日", ("三月二十一日", "3/21"), ("3月1日", "三月二十二日")),
        (
            "ko",
            "10월 7일",
            ("시월 칠일에", "시월 칠 일", "10월7일"),
            ("10월 17일", "십이월 칠일", "시월 팔일"),
        ),
        ("ko", "6월 15일", ("유월 십오일", "6월 15일에"), ("유월 오일", "7월 15일")),
        ("ko", "12월 31일", ("십이월 삼십일일",), ("십이월 삼십일",)),
        (
            "en",
            "1 March 1947",
            ("March 1st, 1947", "the first of March 1947", "01/03/1947", "1947-03-01"),
            ("1 March 1974", "11 March 1947"),
        ),
        ("en", "the 1890s", ("1890s",), ("the 1980s", "1890")),
        (
            "en",
            "Tuesday 4 June",
            ("Tuesday, June 4th", "4 June, a Tuesday", "Tuesday the fourth of June"),
            ("Tuesday 5 June",),
        ),
    ],
)
def test_dates(language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        (
            "en",
            "7:15 a.m.",
            ("quarter past seven in the morning", "07:15", "7.15 am", "a quarter past seven", "7:15"),
            ("7:15 p.m.", "19:15", "quarter past seven in the evening", "quarter to seven"),
        ),
        (
            "en",
            "9:50 p.m.",
            ("ten to ten at night", "21:50", "9.50pm", "nine fifty in the evening", "ten to ten"),
            ("9:50 a.m.", "ten past ten", "ten to nine", "9:15 p.m."),
        ),
        (
            "en",
            "18:05",
            ("6:05 p.m.", "five past six", "five past six in the evening"),
            ("6:05 a.m.", "five to six", "18:50"),
        ),
        ("en", "noon", ("12 noon", "midday", "12:00"), ("midnight", "1 p.m.")),
        (
            "de",
            "22:37",
            ("zweiundzwanzig Uhr siebenunddreißig", "22 Uhr 37", "10:37 p.m.", "22.37 Uhr", "um 22h37"),
            ("10:37 a.m.", "22:47", "zwölf Uhr siebenunddreißig"),
        ),
        (
            "de",
            "7:35",
            ("fünf nach halb acht", "sieben Uhr fünfunddreißig", "7 Uhr 35"),
            ("fünf vor halb acht", "halb acht", "fünf nach acht"),
        ),
        (
            "de",
            "7:25",
            ("fünf vor halb acht", "sieben Uhr fünfundzwanzig"),
            ("fünf nach halb acht", "fünf vor acht"),
        ),
        (
            "de",
            "8:15 Uhr",
            ("Viertel nach acht", "viertel neun", "acht Uhr fünfzehn"),
            ("Viertel vor acht", "viertel acht", "Viertel nach neun"),
        ),
        ("de", "9:50 Uhr", ("zehn vor zehn", "neun Uhr fünfzig"), ("zehn nach zehn", "zehn vor neun")),
        (
            "fr",
            "19 h 45",
            (
                "huit heures moins le quart du soir",
                "dix-neuf heures quarante-cinq",
                "19h45",
                "19:45",
                "vingt heures moins quinze",
            ),
            ("9 h 45", "sept heures et quart", "7 h 45 du matin"),
        ),
        (
            "fr",
            "10 h 20",
            ("dix heures vingt", "10h20 du matin", "dix heures et vingt minutes"),
            ("22 h 20", "dix heures moins vingt", "onze heures vingt"),
        ),
        (
            "fr",
            "15 h 40",
            ("quatre heures moins vingt", "quinze heures quarante", "16 heures moins vingt"),
            ("quatre heures vingt", "quatre heures moins dix"),
        ),
        (
            "es",
            "21:50",
            ("las diez menos diez de la noche", "9:50 de la noche", "las nueve y cincuenta de la noche"),
            ("las diez y diez", "9:50 de la mañana"),
        ),
        (
            "es",
            "6:30",
            ("seis y media", "las 6 y media", "6:30 h"),
            ("siete y media", "las seis menos media"),
        ),
        ("es", "4:20", ("las cuatro y veinte", "4.20"), ("las cuatro menos veinte", "cinco y veinte")),
        (
            "it",
            "21:50",
            ("le dieci meno dieci di sera", "ventuno e cinquanta", "dieci meno dieci"),
            ("le dieci e dieci", "le nove e cinquanta del mattino"),
        ),
        ("it", "7:20", ("sette e venti", "le 7.20", "ore 7:20"), ("sette meno venti", "17:20")),
        (
            "pt",
            "21:50",
            ("dez para as dez da noite", "nove e cinquenta da noite", "21h50"),
            ("dez e dez", "9h50 da manhã"),
        ),
        ("pt", "8:20", ("oito e vinte", "8h20", "8 horas e 20 minutos"), ("vinte para as oito", "18:20")),
        (
            "ru",
            "21:50",
            (
                "без десяти десять вечера",
                "без десяти десять",
                "двадцать один час пятьдесят минут",
                "девять пятьдесят вечера",
                "в 21.50",
            ),
            ("десять минут десятого", "без десяти девять", "без десяти десять утра"),
        ),
        (
            "ru",
            "9:10",
            ("десять минут десятого", "девять часов десять минут", "9.10"),
            ("десять минут девятого", "без десяти девять"),
        ),
        (
            "ru",
            "17:30",
            (
                "половина шестого",
                "в половине шестого",
                "полшестого",
                "пять тридцать вечера",
                "в полшестого вечера",
            ),
            ("половина пятого", "полседьмого"),
        ),
        (
            "ru",
            "15:45",
            ("без четверти четыре", "без четверти четыре дня", "три сорок пять"),
            ("четверть четвёртого", "без четверти пять"),
        ),
        (
            "ru",
            "6:15",
            ("четверть седьмого", "шесть пятнадцать", "пятнадцать минут седьмого"),
            ("четверть шестого", "шесть пятьдесят"),
        ),
        (
            "zh",
            "下午4点15分",
            ("16:15", "四点一刻", "下午4:15", "16点15分"),
            ("凌晨4点15分", "上午4:15", "早上四点一刻", "下午5点15分"),
        ),
        (
            "zh",
            "晚上9点50分",
            ("21:50", "差十分十点", "晚上差十分十点", "九点五十分"),
            ("早上9点50分", "差十分九点", "十点十分"),
        ),
        ("zh", "早上6点半", ("6:30", "清晨六点半", "早晨6点30分"), ("下午6点半", "傍晚六点半", "18:30")),
        (
            "ja",
            "午後9時50分",
            ("21時50分", "夜の9時50分", "10時10分前", "二十一時五十分", "午後九時五十分"),
            ("午前9時50分", "朝9時50分", "10時10分"),
        ),
        ("ja", "午前7時半", ("7:30", "朝の七時半", "7時30分"), ("午後7時半", "夜7時半", "19:30")),
        ("ja", "夕方5時", ("17時", "午後5時", "17:00"), ("朝5時", "午前五時")),
        (
            "ko",
            "오후 6시 30분",
            ("저녁 여섯 시 반", "18:30", "오후 여섯 시 삼십 분", "6시 반", "18시 30분"),
            ("오전 6시 30분", "새벽 여섯 시 반", "아침 6시 30분", "오후 7시 30분"),
        ),
        ("ko", "밤 9시 50분", ("21:50", "아홉 시 오십 분"), ("아침 9시 50분", "열 시 십 분")),
        ("ko", "오전 8시", ("아침 여덟 시", "08:00", "8시"), ("저녁 8시", "20시", "오후 8시")),
    ],
)
def test_times_of_day(language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []


@pytest.mark.parametrize(
    ("language", "name", "same", "others"),
    [
        (
            "pt",
            "14 quilómetros",
            ("O trilho tem 14 km e 620 m de desnível", "catorze quilômetros", "14 km"),
            ("4 km", "140 km"),
        ),
        ("pt", "620 metros", ("14 km e 620 m de desnível", "seiscentos e vinte metros"), ("62 m", "620 km")),
        ("en", "3 km", ("3 km and 200 m of climbing", "three kilometres", "3,000 m"), ("30 km", "3 miles")),
        ("de", "5 Meter", ("5 m lang und 80 cm breit", "fünf Meter"), ("15 m", "5 cm")),
        (
            "pt",
            "5 horas e meia",
            ("cinco horas e meia", "5h30", "5,5 horas", "330 minutos"),
            ("quatro horas e meia", "5 horas"),
        ),
        ("en", "40 kronor", ("forty kronor", "40 SEK", "40 kr"), ("14 kronor", "40 euros")),
        (
            "en",
            "2,400 litres",
            ("twenty-four hundred litres", "2400 l", "2.4 thousand litres"),
            ("240 litres", "24,000 litres"),
        ),
        ("en", "6 foot 4", ("6'4\"", "six foot four", "6 ft 4 in"), ("6 foot", "5 foot 4")),
        (
            "de",
            "1,8 Tonnen",
            ("1800 kg", "1.800 Kilo", "achtzehnhundert Kilogramm", "1,8 t"),
            ("18 Tonnen", "180 kg"),
        ),
        (
            "es",
            "1,8 toneladas",
            ("1800 kilos", "una tonelada y ochocientos kilos", "1.800 kg", "1,8 t"),
            ("18 toneladas", "800 kilos"),
        ),
        ("fr", "2 m 10", ("deux mètres dix", "2,10 m", "210 cm"), ("2 m", "2 m 01")),
        (
            "ru",
            "полтора километра",
            ("1,5 км", "полутора километров", "полутора километрах"),
            ("километр", "5 км"),
        ),
        ("zh", "36立方米", ("三十六立方米", "36 m³"), ("63立方米", "36平方米")),
        ("ko", "1.5톤", ("1500킬로그램", "1톤 반"), ("15톤", "150킬로그램")),
        ("ja", "36キロ", ("三十六キロ", "36km", "36キロメートル"), ("63キロ", "6キロ")),
        ("en", "four years", ("4 years", "48 months"), ("four months", "forty years", "14 years")),
        (
            "en",
            "£1.2 million",
            ("1.2 million pounds", "£1,200,000", "£1.2m"),
            ("£12 million", "1.2 million euros"),
        ),
        ("en", "$2.50", ("2.50 dollars", "two fifty"), ("$25", "$2")),
    ],
)
def test_amounts(language: str, name: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not is_named(name, text, language)] == []
    assert [text for text in others if is_named(name, text, language)] == []
