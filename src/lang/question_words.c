/*
 * The words of question.h, language by language. Folded as tokens are: no
 * Latin diacritics, lower case. Facts of the languages, no rules.
 */
#include "lang/question_words.h"

#include "text/terms.h"

#include <string.h>

static const struct asking asking_de[] = {
    {"seit wann", ANSWER_DATE},
    {"bis wann", ANSWER_DATE},
    {"wann", ANSWER_DATE},
    {"welchem jahr", ANSWER_DATE},
    {"welches jahr", ANSWER_DATE},
    {"welchem jahrhundert", ANSWER_DATE},
    {"welchem tag", ANSWER_DATE},
    {"wie viel", ANSWER_NUMBER},
    {"wie viele", ANSWER_NUMBER},
    {"wieviel", ANSWER_NUMBER},
    {"wieviele", ANSWER_NUMBER},
    {"wie hoch", ANSWER_NUMBER},
    {"wie gross", ANSWER_NUMBER},
    {"wie lang", ANSWER_NUMBER},
    {"wie lange", ANSWER_NUMBER},
    {"wie alt", ANSWER_NUMBER},
    {"wie weit", ANSWER_NUMBER},
    {"wie tief", ANSWER_NUMBER},
    {"wie breit", ANSWER_NUMBER},
    {"wie schwer", ANSWER_NUMBER},
    {"wie schnell", ANSWER_NUMBER},
    {"wie oft", ANSWER_NUMBER},
    {"wie teuer", ANSWER_NUMBER},
    {"wie warm", ANSWER_NUMBER},
    {"wie kalt", ANSWER_NUMBER},
    {"wie heiss", ANSWER_NUMBER},
    {"warum", ANSWER_REASON},
    {"wieso", ANSWER_REASON},
    {"weshalb", ANSWER_REASON},
    {"wozu", ANSWER_REASON},
    {"wie kann ich", ANSWER_HOWTO},
    {"wie kann man", ANSWER_HOWTO},
    {"wie macht man", ANSWER_HOWTO},
    {"wie mache ich", ANSWER_HOWTO},
    {"unterschied zwischen", ANSWER_COMPARE},
    {"wer", ANSWER_PERSON},
    {"wem", ANSWER_PERSON},
    {"wen", ANSWER_PERSON},
    {"wessen", ANSWER_PERSON},
    {"wohin", ANSWER_PLACE},
    {"woher", ANSWER_PLACE},
    {"wo", ANSWER_PLACE},
    {"was ist", ANSWER_DEFINITION},
    {"was sind", ANSWER_DEFINITION},
    {"was bedeutet", ANSWER_DEFINITION},
    {"was heisst", ANSWER_DEFINITION},
    {"versteht man unter", ANSWER_DEFINITION},
    {NULL, ANSWER_ANY}};

static const struct asking asking_fr[] = {{"depuis quand", ANSWER_DATE},
                                          {"quand", ANSWER_DATE},
                                          {"quelle annee", ANSWER_DATE},
                                          {"quel jour", ANSWER_DATE},
                                          {"quelle date", ANSWER_DATE},
                                          {"quel siecle", ANSWER_DATE},
                                          {"combien", ANSWER_NUMBER},
                                          {"pourquoi", ANSWER_REASON},
                                          {"difference entre", ANSWER_COMPARE},
                                          {"comment", ANSWER_HOWTO},
                                          {"qu est ce qu", ANSWER_DEFINITION},
                                          {"qu est ce que", ANSWER_DEFINITION},
                                          {"c est quoi", ANSWER_DEFINITION},
                                          {"que signifie", ANSWER_DEFINITION},
                                          {"^qui", ANSWER_PERSON},
                                          {"par qui", ANSWER_PERSON},
                                          {"a qui", ANSWER_PERSON},
                                          {"^ou", ANSWER_PLACE},
                                          {"d ou", ANSWER_PLACE},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_es[] = {{"desde cuando", ANSWER_DATE},
                                          {"cuando", ANSWER_DATE},
                                          {"que ano", ANSWER_DATE},
                                          {"que dia", ANSWER_DATE},
                                          {"que fecha", ANSWER_DATE},
                                          {"que siglo", ANSWER_DATE},
                                          {"cuanto", ANSWER_NUMBER},
                                          {"cuanta", ANSWER_NUMBER},
                                          {"cuantos", ANSWER_NUMBER},
                                          {"cuantas", ANSWER_NUMBER},
                                          {"por que", ANSWER_REASON},
                                          {"diferencia entre", ANSWER_COMPARE},
                                          {"quien", ANSWER_PERSON},
                                          {"quienes", ANSWER_PERSON},
                                          {"donde", ANSWER_PLACE},
                                          {"adonde", ANSWER_PLACE},
                                          {"que es", ANSWER_DEFINITION},
                                          {"que son", ANSWER_DEFINITION},
                                          {"que significa", ANSWER_DEFINITION},
                                          {"^como", ANSWER_HOWTO},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_it[] = {{"quando", ANSWER_DATE},
                                          {"che anno", ANSWER_DATE},
                                          {"quale anno", ANSWER_DATE},
                                          {"quanto", ANSWER_NUMBER},
                                          {"quanta", ANSWER_NUMBER},
                                          {"quanti", ANSWER_NUMBER},
                                          {"quante", ANSWER_NUMBER},
                                          {"perche", ANSWER_REASON},
                                          {"differenza tra", ANSWER_COMPARE},
                                          {"chi", ANSWER_PERSON},
                                          {"dove", ANSWER_PLACE},
                                          {"dov", ANSWER_PLACE},
                                          {"che cos e", ANSWER_DEFINITION},
                                          {"cos e", ANSWER_DEFINITION},
                                          {"cosa e", ANSWER_DEFINITION},
                                          {"cosa sono", ANSWER_DEFINITION},
                                          {"cosa significa", ANSWER_DEFINITION},
                                          {"^come", ANSWER_HOWTO},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_pt[] = {{"quando", ANSWER_DATE},
                                          {"que ano", ANSWER_DATE},
                                          {"quanto", ANSWER_NUMBER},
                                          {"quanta", ANSWER_NUMBER},
                                          {"quantos", ANSWER_NUMBER},
                                          {"quantas", ANSWER_NUMBER},
                                          {"por que", ANSWER_REASON},
                                          {"porque", ANSWER_REASON},
                                          {"diferenca entre", ANSWER_COMPARE},
                                          {"quem", ANSWER_PERSON},
                                          {"onde", ANSWER_PLACE},
                                          {"aonde", ANSWER_PLACE},
                                          {"que e", ANSWER_DEFINITION},
                                          {"que sao", ANSWER_DEFINITION},
                                          {"que significa", ANSWER_DEFINITION},
                                          {"^como", ANSWER_HOWTO},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_nl[] = {{"wanneer", ANSWER_DATE},
                                          {"welk jaar", ANSWER_DATE},
                                          {"hoeveel", ANSWER_NUMBER},
                                          {"hoe hoog", ANSWER_NUMBER},
                                          {"hoe groot", ANSWER_NUMBER},
                                          {"hoe lang", ANSWER_NUMBER},
                                          {"hoe oud", ANSWER_NUMBER},
                                          {"hoe ver", ANSWER_NUMBER},
                                          {"hoe diep", ANSWER_NUMBER},
                                          {"hoe zwaar", ANSWER_NUMBER},
                                          {"waarom", ANSWER_REASON},
                                          {"verschil tussen", ANSWER_COMPARE},
                                          {"wie", ANSWER_PERSON},
                                          {"wiens", ANSWER_PERSON},
                                          {"waar", ANSWER_PLACE},
                                          {"wat is", ANSWER_DEFINITION},
                                          {"wat zijn", ANSWER_DEFINITION},
                                          {"wat betekent", ANSWER_DEFINITION},
                                          {"hoe kan", ANSWER_HOWTO},
                                          {"hoe kun", ANSWER_HOWTO},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_sv[] = {{"^nar", ANSWER_DATE},
                                          {"vilket ar", ANSWER_DATE},
                                          {"hur manga", ANSWER_NUMBER},
                                          {"hur mycket", ANSWER_NUMBER},
                                          {"hur hog", ANSWER_NUMBER},
                                          {"hur hogt", ANSWER_NUMBER},
                                          {"hur stor", ANSWER_NUMBER},
                                          {"hur stort", ANSWER_NUMBER},
                                          {"hur lang", ANSWER_NUMBER},
                                          {"hur langt", ANSWER_NUMBER},
                                          {"hur gammal", ANSWER_NUMBER},
                                          {"hur djup", ANSWER_NUMBER},
                                          {"varfor", ANSWER_REASON},
                                          {"skillnaden mellan", ANSWER_COMPARE},
                                          {"vem", ANSWER_PERSON},
                                          {"vems", ANSWER_PERSON},
                                          {"^var", ANSWER_PLACE},
                                          {"vart", ANSWER_PLACE},
                                          {"vad ar", ANSWER_DEFINITION},
                                          {"vad betyder", ANSWER_DEFINITION},
                                          {"hur kan", ANSWER_HOWTO},
                                          {"hur gor", ANSWER_HOWTO},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_ru[] = {{"когда", ANSWER_DATE},
                                          {"каком году", ANSWER_DATE},
                                          {"каком веке", ANSWER_DATE},
                                          {"какого числа", ANSWER_DATE},
                                          {"сколько", ANSWER_NUMBER},
                                          {"почему", ANSWER_REASON},
                                          {"зачем", ANSWER_REASON},
                                          {"разница между", ANSWER_COMPARE},
                                          {"каким образом", ANSWER_HOWTO},
                                          {"как сделать", ANSWER_HOWTO},
                                          {"как можно", ANSWER_HOWTO},
                                          {"что такое", ANSWER_DEFINITION},
                                          {"что означает", ANSWER_DEFINITION},
                                          {"что значит", ANSWER_DEFINITION},
                                          {"кто", ANSWER_PERSON},
                                          {"кем", ANSWER_PERSON},
                                          {"кого", ANSWER_PERSON},
                                          {"кому", ANSWER_PERSON},
                                          {"где", ANSWER_PLACE},
                                          {"куда", ANSWER_PLACE},
                                          {"откуда", ANSWER_PLACE},
                                          {NULL, ANSWER_ANY}};

static const struct asking asking_zh[] = {
    {"什么时候", ANSWER_DATE},     {"何时", ANSWER_DATE},
    {"哪一年", ANSWER_DATE},       {"哪年", ANSWER_DATE},
    {"哪一天", ANSWER_DATE},       {"几月", ANSWER_DATE},
    {"什麼時候", ANSWER_DATE},     {"多少", ANSWER_NUMBER},
    {"多高", ANSWER_NUMBER},       {"多长", ANSWER_NUMBER},
    {"多大", ANSWER_NUMBER},       {"多远", ANSWER_NUMBER},
    {"多重", ANSWER_NUMBER},       {"多深", ANSWER_NUMBER},
    {"多宽", ANSWER_NUMBER},       {"多久", ANSWER_NUMBER},
    {"几个", ANSWER_NUMBER},       {"几", ANSWER_NUMBER},
    {"为什么", ANSWER_REASON},     {"为何", ANSWER_REASON},
    {"怎么", ANSWER_HOWTO},        {"如何", ANSWER_HOWTO},
    {"怎样", ANSWER_HOWTO},        {"区别", ANSWER_COMPARE},
    {"谁", ANSWER_PERSON},         {"誰", ANSWER_PERSON},
    {"哪位", ANSWER_PERSON},       {"哪里", ANSWER_PLACE},
    {"哪儿", ANSWER_PLACE},        {"什么地方", ANSWER_PLACE},
    {"在哪", ANSWER_PLACE},        {"何处", ANSWER_PLACE},
    {"哪个国家", ANSWER_PLACE},    {"哪个城市", ANSWER_PLACE},
    {"哪座城市", ANSWER_PLACE},    {"什么是", ANSWER_DEFINITION},
    {"是什么", ANSWER_DEFINITION}, {NULL, ANSWER_ANY}};

static const struct asking asking_ja[] = {
    {"いつ", ANSWER_DATE},         {"何年", ANSWER_DATE},
    {"何月", ANSWER_DATE},         {"何日", ANSWER_DATE},
    {"何世紀", ANSWER_DATE},       {"いくつ", ANSWER_NUMBER},
    {"いくら", ANSWER_NUMBER},     {"どのくらい", ANSWER_NUMBER},
    {"どれくらい", ANSWER_NUMBER}, {"何人", ANSWER_NUMBER},
    {"何メートル", ANSWER_NUMBER}, {"何キロ", ANSWER_NUMBER},
    {"何個", ANSWER_NUMBER},       {"何本", ANSWER_NUMBER},
    {"何回", ANSWER_NUMBER},       {"何度", ANSWER_NUMBER},
    {"何歳", ANSWER_NUMBER},       {"なぜ", ANSWER_REASON},
    {"何故", ANSWER_REASON},       {"どうして", ANSWER_REASON},
    {"どうやって", ANSWER_HOWTO},  {"どのように", ANSWER_HOWTO},
    {"違い", ANSWER_COMPARE},      {"誰", ANSWER_PERSON},
    {"だれ", ANSWER_PERSON},       {"どなた", ANSWER_PERSON},
    {"どこ", ANSWER_PLACE},        {"どの国", ANSWER_PLACE},
    {"どの都市", ANSWER_PLACE},    {"どの県", ANSWER_PLACE},
    {"何県", ANSWER_PLACE},        {"とは何", ANSWER_DEFINITION},
    {"は何で", ANSWER_DEFINITION}, {NULL, ANSWER_ANY}};

static const struct question_words words[LANG_COUNT] = {
    [LANG_DE] =
        {.asking = asking_de,
         .light = " hoch gross lang lange alt weit tief breit schwer schnell "
                  "oft teuer warm kalt heiss heisst genannt nennt man name "
                  "jahr liegt befindet gibt steht ",
         .numbers = " hohe lange grosse tiefe breite anzahl zahl einwohnerzahl "
                    "flache temperatur preis gewicht geschwindigkeit dauer "
                    "alter entfernung ",
         .places = " stadt land hauptstadt ort region kontinent fluss insel "
                   "bundesland provinz ",
         .people = " person mensch autor autorin prasident kanzler konig "
                   "konigin erfinder grunder architekt komponist ",
         .dates = " jahr jahrhundert datum tag monat ",
         .count = " zwei drei vier funf sechs sieben acht neun zehn elf zwolf "
                  "zwanzig dreissig hundert tausend million millionen "
                  "milliarde milliarden dutzend halfte ",
         .months = " januar janner | februar feber | marz | april | mai | juni "
                   "| juli | august | september | oktober | november | "
                   "dezember ",
         .times = " jahr jahre jahren jahrhundert seit wahrend nach vor ",
         .in = " in im bei an am auf aus nahe zwischen nach ",
         .is = " ist sind war waren bezeichnet bedeutet heisst nennt ",
         .because = " weil da denn wegen deshalb daher dadurch darum grund "
                    "ursache aufgrund damit ",
         .refers = " er sie es dies diese dieser dieses diesem diesen sein "
                   "seine ihr ihre dort ",
         .nouns_capital = true},
    [LANG_FR] =
        {.asking = asking_fr,
         .light = " annee appelle nomme nom trouve situe situee grand haut "
                  "mesure nombre est ce ",
         .numbers = " hauteur longueur superficie population taille profondeur "
                    "prix nombre temperature poids vitesse duree age altitude "
                    "largeur distance ",
         .places = " ville pays capitale region lieu continent fleuve ile "
                   "province departement endroit ",
         .people = " personne auteur president roi reine inventeur fondateur "
                   "architecte compositeur ecrivain peintre ",
         .dates = " annee date jour siecle mois ",
         .count = " deux trois quatre cinq six sept huit neuf dix onze douze "
                  "vingt trente cent cents mille million millions milliard "
                  "milliards moitie douzaine ",
         .months = " janvier | fevrier | mars | avril | mai | juin | juillet | "
                   "aout | septembre | octobre | novembre | decembre ",
         .times = " an ans annee annees siecle siecles depuis pendant apres ",
         .in = " a au aux en dans de du sur pres vers entre ",
         .is = " est sont etait designe signifie appelle ",
         .because = " car parce puisque cause raison grace afin ",
         .refers =
             " il elle ils elles ce cet cette ces son sa ses leur leurs "},
    [LANG_ES] =
        {.asking = asking_es,
         .light = " ano llama llamado nombre encuentra situado situada mide "
                  "alto grande numero ",
         .numbers = " altura longitud superficie poblacion profundidad precio "
                    "numero temperatura peso velocidad duracion edad altitud "
                    "tamano distancia ",
         .places = " ciudad pais capital region lugar continente rio isla "
                   "provincia ",
         .people = " persona autor autora presidente rey reina inventor "
                   "fundador fundadora arquitecto compositor escritor pintor ",
         .dates = " ano fecha dia siglo mes ",
         .count =
             " dos tres cuatro cinco seis siete ocho nueve diez once doce "
             "veinte treinta cien ciento mil millon millones mitad docena ",
         .months = " enero | febrero | marzo | abril | mayo | junio | julio | "
                   "agosto | septiembre setiembre | octubre | noviembre | "
                   "diciembre ",
         .times = " ano anos siglo siglos desde durante despues hace ",
         .in = " en a de del al cerca entre hacia ",
         .is = " es son era significa consiste llama ",
         .because = " porque pues debido causa razon gracias ",
         .refers = " el ella ellos ellas este esta estos estas esto su sus "},
    [LANG_IT] =
        {.asking = asking_it,
         .light = " anno chiama chiamato nome trova alto grande ",
         .numbers = " altezza lunghezza superficie popolazione profondita "
                    "prezzo numero temperatura peso velocita durata eta ",
         .places =
             " citta paese capitale regione luogo continente fiume isola ",
         .people = " persona autore presidente re regina inventore fondatore "
                   "architetto compositore scrittore pittore ",
         .dates = " anno data giorno secolo mese ",
         .count = " due tre quattro cinque sei sette otto nove dieci cento "
                  "mille milione milioni miliardi meta ",
         .months = " gennaio | febbraio | marzo | aprile | maggio | giugno | "
                   "luglio | agosto | settembre | ottobre | novembre | "
                   "dicembre ",
         .times = " anno anni secolo dal durante dopo ",
         .in = " a ad in nel nella nei di del della presso tra ",
         .is = " e sono era significa indica ",
         .because = " perche poiche causa ragione grazie ",
         .refers = " egli ella esso essa essi lui lei questo questa il suo "},
    [LANG_PT] =
        {.asking = asking_pt,
         .light = " ano chama chamado nome fica alto grande ",
         .numbers = " altura comprimento superficie area populacao "
                    "profundidade preco numero temperatura peso velocidade "
                    "duracao idade ",
         .places = " cidade pais capital regiao lugar continente rio ilha ",
         .people = " pessoa autor autora presidente rei rainha inventor "
                   "fundador arquiteto compositor escritor pintor ",
         .dates = " ano data dia seculo mes ",
         .count = " dois duas tres quatro cinco seis sete oito nove dez cem "
                  "mil milhao milhoes metade ",
         .months = " janeiro | fevereiro | marco | abril | maio | junho | "
                   "julho | agosto | setembro | outubro | novembro | dezembro ",
         .times = " ano anos seculo desde durante depois ",
         .in = " em no na nos nas de do da entre ",
         .is = " e sao era significa ",
         .because = " porque pois devido causa razao gracas ",
         .refers = " ele ela eles elas este esta isso isto seu sua "},
    [LANG_NL] =
        {.asking = asking_nl,
         .light = " hoog groot lang oud ver diep zwaar heet heten naam jaar "
                  "ligt ",
         .numbers = " hoogte lengte oppervlakte bevolking diepte prijs aantal "
                    "temperatuur gewicht snelheid duur leeftijd ",
         .places = " stad land hoofdstad regio plaats continent rivier eiland ",
         .people = " persoon auteur president koning koningin uitvinder "
                   "oprichter architect componist schrijver schilder ",
         .dates = " jaar datum dag eeuw maand ",
         .count = " twee drie vier vijf zes zeven acht negen tien honderd "
                  "duizend miljoen miljard helft ",
         .months = " januari | februari | maart | april | mei | juni | juli | "
                   "augustus | september | oktober | november | december ",
         .times = " jaar jaren eeuw sinds tijdens na ",
         .in = " in op bij aan te uit tussen naar ",
         .is = " is zijn was betekent heet ",
         .because = " omdat want wegens doordat reden oorzaak ",
         .refers = " hij zij ze het dit deze die zijn haar "},
    [LANG_SV] =
        {.asking = asking_sv,
         .light = " hog stor lang gammal djup heter namn ar ligger ",
         .numbers = " hojd langd yta befolkning djup pris antal temperatur "
                    "vikt hastighet alder ",
         .places = " stad land huvudstad region plats kontinent flod o ",
         .people = " person forfattare president kung drottning uppfinnare "
                   "grundare arkitekt ",
         .dates = " ar datum dag sekel manad ",
         .count = " tva tre fyra fem sex sju atta nio tio hundra tusen miljon "
                  "miljoner miljard halften ",
         .months = " januari | februari | mars | april | maj | juni | juli | "
                   "augusti | september | oktober | november | december ",
         .times = " ar sekel sedan under efter ",
         .in = " i pa vid fran till mellan ",
         .is = " ar var betyder heter ",
         .because = " eftersom darfor grund orsak ",
         .refers = " han hon den det de denna detta hans hennes "},
    [LANG_RU] =
        {.asking = asking_ru,
         .light = " году год называется зовут имя находится расположен "
                  "расположена расположено высота ",
         .numbers = " высота высоту длина длину площадь население глубина "
                    "глубину цена температура вес скорость возраст численность "
                    "число количество расстояние ширина ",
         .places = " город городе страна стране столица регион место континент "
                   "река остров ",
         .people = " человек автор президент король королева изобретатель "
                   "основатель архитектор композитор писатель художник ",
         .dates = " год году век веке дата день месяц ",
         .count = " два две три четыре пять шесть семь восемь девять десять "
                  "двадцать сто тысяча тысячи тысяч миллион миллиона миллионов "
                  "миллиард миллиардов половина ",
         .months = " января январь январе | февраля февраль феврале | марта "
                   "март марте | апреля апрель апреле | мая май мае | июня "
                   "июнь июне | июля июль июле | августа август августе | "
                   "сентября сентябрь сентябре | октября октябрь октябре | "
                   "ноября ноябрь ноябре | декабря декабрь декабре ",
         .times = " год года году лет век веке века после ",
         .in = " в во на из у около близ между к ",
         .is = " это является называется есть был была было означает ",
         .because = " потому поскольку из-за так благодаря причина причиной "
                    "вследствие чтобы ",
         .refers = " он она оно они это этот эта эти его ее их здесь там "},
    [LANG_ZH] = {.asking = asking_zh,
                 .light = "高度 长度 深度 面积 人口 海拔 名字 叫做",
                 .numbers = "人口 面积 高度 长度 深度 温度 价格 重量 速度 海拔 "
                            "距离 数量",
                 .places = "首都 国家 城市 省会 地方 位置",
                 .people = "作者 总统 校长 创始人 发明者 发明人 国王 皇帝",
                 .dates = "年份 日期 时间",
                 .in = "位于 位於 坐落 座落 地处 在",
                 .is = "是 指 即 称为",
                 .because = "因为 由于 因此 所以 为了 原因 导致 使得",
                 .refers = "它 他 她 这 该 此",
                 .unspaced = true},
    [LANG_JA] = {.asking = asking_ja,
                 .light = "高さ 長さ 深さ 広さ 重さ 面積 人口 標高 名前",
                 .numbers = "人口 面積 高さ 長さ 深さ 温度 値段 価格 重さ 速度 "
                            "標高 距離 数",
                 .places = "首都 国 都市 県庁所在地 場所 位置",
                 .people = "作者 著者 大統領 校長 創設者 創業者 発明者 王",
                 .dates = "日付 年",
                 .in = "にある に位置 で行わ に建 にあり 所在",
                 .is = "は とは である です",
                 .because = "ため から ので 原因 理由 によって",
                 .refers = "それ これ この その 彼 同",
                 .unspaced = true},
};

const struct question_words *question_words_of(enum lang l)
{
    return l < LANG_COUNT && words[l].asking != NULL ? &words[l] : NULL;
}

/* Full names; three letters of one stand for it. */
static const char months_en[] =
    " january | february | march | april | may | june | july | august "
    "| september | october | november | december ";

int question_month(enum lang l, const char *word)
{
    const struct question_words *k = question_words_of(l);
    const char *at = l == LANG_EN ? months_en : k == NULL ? NULL : k->months;
    size_t n = strlen(word);

    for (int m = 1; at != NULL && m <= 12; m++) {
        const char *end = strchr(at, '|');

        for (const char *z = at;
             n > 0 && (z = strstr(z, word)) != NULL && (end == NULL || z < end);
             z++)
            if (z[-1] == ' ' && (z[n] == ' ' || (l == LANG_EN && n == 3)))
                return m;
        at = end == NULL ? NULL : end + 1;
    }
    return 0;
}

bool question_text_has(const char *p, size_t n, const char *list)
{
    const char *at = list == NULL ? "" : list;

    while (*at != '\0') {
        size_t len = strcspn(at, " ");

        if (len > 0 && memmem(p, n, at, len) != NULL)
            return true;
        at += len + (at[len] == ' ' ? 1 : 0);
    }
    return false;
}

bool question_refers(enum lang l, const char *p, const char *word)
{
    const struct question_words *k = question_words_of(l);

    if (k == NULL)
        return false;
    if (!k->unspaced)
        return question_list_has(k->refers, word);
    for (const char *at = k->refers; *at != '\0';) {
        size_t n = strcspn(at, " ");

        if (strncmp(p, at, n) == 0)
            return true;
        at += n + (at[n] == ' ' ? 1 : 0);
    }
    return false;
}

bool question_list_has(const char *list, const char *word)
{
    size_t n = strlen(word);

    if (list == NULL || n == 0)
        return false;
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}
