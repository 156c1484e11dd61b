// Pages and questions in six languages. The sentences are ours. Each language
// has pages of one kind beside each other (two mountains, two bridges…), so
// that a page that only sounds right is there too; questions use other forms
// of the words than the pages do.
//
// ask: [question, path of the page, what the leading sentence must hold]
// mixed: more of these, for the index of all languages only: one word, in one of
// four pages, is rightly too little evidence.
// silent: questions that no page answers.
export const LANGUAGES = {
    de: {
        pages: {
            brocken: ['Der Brocken', `Der Brocken ist mit 1141 Metern der höchste Berg des Harzes und liegt in Sachsen-Anhalt. Auf dem Gipfel herrscht ein raues Klima mit vielen Nebeltagen.

Eine Schmalspurbahn bringt Besucher seit 1899 auf den Gipfel. Im Jahr 1890 legte der Botaniker Albert Peter dort einen Garten für Pflanzen der Hochgebirge an.`],
            feldberg: ['Der Feldberg', `Der Feldberg ist der höchste Berg des Schwarzwalds. Er erreicht eine Höhe von 1493 Metern. Im Winter laufen dort 31 Skilifte.

Der Feldsee am Fuß des Berges entstand während der letzten Eiszeit. Baden ist in dem See verboten, weil am Grund seltene Farne wachsen.`],
            uhr: ['Die Uhr von Sankt Velten', `Der Uhrmacher Konrad Lindner baute die Turmuhr von Sankt Velten. Sie wurde am 3. Mai 1788 zum ersten Mal aufgezogen. Das Pendel wiegt 84 Kilogramm.

Zwei Gehilfen arbeiteten sechs Jahre lang an den Zahnrädern. Die Glocken goss eine Werkstatt in Erfurt.`],
            muehle: ['Die Mühle an der Ranna', `Die Wassermühle an der Ranna mahlte bis 1962 Getreide für elf Dörfer. Heute ist das Gebäude ein Museum mit jährlich 23.500 Besuchern.

Eine Talsperre ist ein Bauwerk, das einen Fluss zu einem See aufstaut. Oberhalb der Mühle wurde 1958 eine solche Anlage errichtet.`],
        },
        ask: [
            ['Wie hoch ist der Brocken?', 'brocken', '1141'],
            ['Wer hat die Turmuhr von Sankt Velten gebaut?', 'uhr', 'Konrad Lindner'],
            ['Wann wurde die Turmuhr in Sankt Velten zuerst aufgezogen?', 'uhr', '3. Mai 1788'],
            ['Wie viele Besucher hat das Museum in der Mühle jedes Jahr?', 'muehle', '23.500'],
            ['Warum darf man im Feldsee nicht baden?', 'feldberg', 'Farne'],
            ['Was ist eine Talsperre?', 'muehle', 'Bauwerk'],
            ['Seit wann fährt die Schmalspurbahn zum Gipfel des Brockens?', 'brocken', '1899'],
        ],
        silent: [
            'Wie hoch ist der Kilimandscharo?',
            'Wer hat das Penicillin entdeckt?',
            'Wann wurde die Universität Padua gegründet?',
        ],
    },
    fr: {
        pages: {
            aiguille: ["L'aiguille de Montreval", `L'aiguille de Montreval culmine à 3 217 mètres d'altitude. Ses premiers grimpeurs, deux sœurs de Chamonix, atteignirent le sommet en juillet 1871.

Un refuge de 48 places accueille les alpinistes entre juin et septembre. Le gardien y prépare les repas sur un poêle à bois.`],
            dent: ['La dent de Lorzan', `La dent de Lorzan est une montagne calcaire de 2 405 mètres. Les chamois y sont nombreux au printemps.

Un téléphérique construit en 1956 relie le village au plateau. Il est fermé en novembre parce que les câbles sont contrôlés.`],
            pont: ['Le pont de Saint-Armel', `Le pont de Saint-Armel fut dessiné par l'ingénieure Hélène Darbois. Les travaux durèrent quatre ans et l'ouvrage fut inauguré le 12 octobre 1934.

Long de 612 mètres, il traverse l'estuaire de la Velle. Environ 18 000 voitures l'empruntent chaque jour.`],
            musee: ['Le musée du verre', `Le musée du verre se trouve à Blémont, dans une ancienne usine. Il présente 2 300 objets, des vitraux aux bouteilles.

Une verrerie est un atelier où l'on fabrique des objets en verre. Celle de Blémont ferma ses portes en 1981 à cause du prix du gaz.`],
        },
        ask: [
            ["Quelle est l'altitude de l'aiguille de Montreval ?", 'aiguille', '3 217'],
            ['Qui a dessiné le pont de Saint-Armel ?', 'pont', 'Hélène Darbois'],
            ['Quand le pont de Saint-Armel a-t-il été inauguré ?', 'pont', '12 octobre 1934'],
            ['Combien de places le refuge de Montreval a-t-il ?', 'aiguille', '48'],
            ['Où se trouve le musée du verre ?', 'musee', 'Blémont'],
            ['Pourquoi le téléphérique de Lorzan ferme-t-il en novembre ?', 'dent', 'câbles'],
            ["Qu'est-ce qu'une verrerie ?", 'musee', 'atelier'],
        ],
        silent: [
            "Quelle est la hauteur de la tour Eiffel ?",
            'Qui a inventé le téléphone ?',
            'Quand la bibliothèque de Coimbra a-t-elle ouvert ?',
        ],
    },
    es: {
        pages: {
            volcan: ['El volcán Tarumé', `El volcán Tarumé tiene una altura de 4.862 metros y está cubierto de nieve casi todo el año. Su última erupción ocurrió el 9 de febrero de 1887.

Los guías locales acompañan a los excursionistas hasta el borde del cráter. La subida dura unas siete horas.`],
            laguna: ['La laguna Ondarra', `La laguna Ondarra se encuentra en el valle de Cherque, al norte de la cordillera. Sus aguas son rojas porque contienen algas microscópicas.

Cada invierno llegan unas 12.000 aves acuáticas. La pesca está prohibida desde 1994.`],
            teatro: ['El teatro Almirón', `El teatro Almirón fue fundado por la actriz Lucía Barrenechea. Abrió sus puertas en 1908 con una ópera italiana.

La sala principal tiene 1.450 butacas. Un incendio destruyó el escenario en 1931 y la ciudad lo reconstruyó en dos años.`],
            molino: ['Los molinos de Peñarrubia', `En la colina de Peñarrubia quedan nueve molinos de viento. El mayor de ellos mide 14 metros y aún muele trigo.

Un batán es una máquina que golpea los tejidos para hacerlos más compactos. En el pueblo hubo uno hasta 1920.`],
        },
        ask: [
            ['¿Cuál es la altura del volcán Tarumé?', 'volcan', '4.862'],
            ['¿Quién fundó el teatro Almirón?', 'teatro', 'Lucía Barrenechea'],
            ['¿Cuándo fue la última erupción del Tarumé?', 'volcan', '9 de febrero de 1887'],
            ['¿Cuántas butacas hay en la sala principal del teatro Almirón?', 'teatro', '1.450'],
            ['¿Dónde está la laguna Ondarra?', 'laguna', 'valle de Cherque'],
            ['¿Por qué es roja el agua de la laguna Ondarra?', 'laguna', 'algas'],
            ['¿Qué es un batán?', 'molino', 'máquina'],
        ],
        silent: [
            '¿Cuál es la altura del Aconcagua?',
            '¿Quién pintó el Guernica?',
            '¿Cuántos habitantes tiene Bogotá?',
        ],
    },
    ru: {
        pages: {
            gora: ['Гора Сивуха', `Гора Сивуха возвышается на 1782 метра над уровнем моря. На её склонах растут лиственницы и кедры.

Первую метеостанцию на вершине открыли в 1936 году. Зимой там работают четыре наблюдателя.`],
            ozero: ['Озеро Талое', `Озеро Талое находится в Верхнебродском районе. Его наибольшая глубина составляет 94 метра.

Вода в озере не замерзает, потому что на дне бьют тёплые источники. Рыбаки ловят здесь хариуса и щуку.`],
            bibl: ['Библиотека имени Чарской', `Библиотеку в городе Заречинске основала учительница Мария Ковалёва. Читальный зал открылся 14 марта 1905 года.

В хранилище собрано 320 000 книг. Самая старая рукопись датируется шестнадцатым веком.`],
            most: ['Мост через Велегу', `Мост через реку Велегу построил инженер Павел Сорокин. Длина моста достигает 842 метров.

Акведук — это сооружение, по которому вода идёт через долину или дорогу. Рядом с мостом сохранились опоры старого акведука.`],
        },
        ask: [
            ['Какова высота горы Сивухи?', 'gora', '1782'],
            ['Кто основал библиотеку в Заречинске?', 'bibl', 'Мария Ковалёва'],
            ['Когда открылся читальный зал библиотеки?', 'bibl', '14 марта 1905'],
            ['Сколько книг в хранилище библиотеки Заречинска?', 'bibl', '320 000'],
            ['Где находится озеро Талое?', 'ozero', 'Верхнебродском'],
            ['Почему не замерзает вода в озере Талом?', 'ozero', 'источники'],
            ['Кем построен мост через Велегу?', 'most', 'Павел Сорокин'],
        ],
        mixed: [
            ['Что такое акведук?', 'most', 'сооружение'],
        ],
        silent: [
            'Какова высота Эльбруса?',
            'Кто написал роман «Война и мир»?',
            'Сколько жителей в Новосибирске?',
        ],
    },
    zh: {
        pages: {
            shan: ['青岚山', `青岚山位于临河省西部，海拔3286米，是省内最高的山峰。山上常年有雾，游客多在秋天前来。

1958年，登山队员陈立国第一次到达山顶。山脚下有一座古老的寺庙，建于明代。`],
            hu: ['月牙湖', `月牙湖在青岚山的东边，面积约为47平方公里。湖水最深处有62米。

因为湖底有温泉，所以湖面冬天不结冰。每年有两万多只候鸟在这里过冬。`],
            qiao: ['长宁大桥', `长宁大桥由工程师周文海设计，全长1830米。大桥于2003年9月28日通车。

每天大约有四万五千辆汽车经过这座桥。晚上十点以后，桥上的灯会变成蓝色。`],
            tu: ['临河图书馆', `临河图书馆收藏图书210万册，其中古籍三千多种。图书馆星期一不开放。

活字印刷是一种用可以移动的单个字模排版的印刷方法。图书馆一楼的展厅介绍了它的历史。`],
        },
        ask: [
            ['青岚山有多高？', 'shan', '3286'],
            ['谁设计了长宁大桥？', 'qiao', '周文海'],
            ['长宁大桥是什么时候通车的？', 'qiao', '2003年9月28日'],
            ['临河图书馆有多少册图书？', 'tu', '210万册'],
            ['青岚山在哪个省？', 'shan', '临河省'],
            ['月牙湖冬天为什么不结冰？', 'hu', '温泉'],
            ['什么是活字印刷？', 'tu', '印刷方法'],
        ],
        silent: [
            '珠穆朗玛峰有多高？',
            '谁发明了电话？',
            '法国的首都是哪里？',
        ],
    },
    ja: {
        pages: {
            yama: ['霧ヶ城山', `霧ヶ城山は標高2148メートルで、県内で最も高い山である。頂上には小さな神社があり、夏には多くの人が登る。

1921年に登山家の大西健一が冬の登頂に初めて成功した。ふもとから頂上までは五時間ほどかかる。`],
            mizuumi: ['鏡沼', `鏡沼は霧ヶ城山の北にある湖で、面積は12平方キロメートルである。水深は最大で38メートルに達する。

湖の底から温かい水がわき出ているため、冬でも凍らない。毎年およそ八千羽の白鳥が飛来する。`],
            hashi: ['若葉大橋', `若葉大橋は技師の村井花子が設計した。橋の長さは940メートルである。２００８年４月１２日に開通した。

一日に約二万台の車がこの橋を渡る。夜になると橋は緑色の光で照らされる。`],
            hakubutsu: ['紙の博物館', `紙の博物館は霧ヶ城市の駅前にある。館内には1500点の和紙が展示されている。月曜日は休館日である。

透かしとは、紙を光にかざすと見える模様のことである。博物館では透かしの作り方を学ぶことができる。`],
        },
        ask: [
            ['霧ヶ城山の高さは何メートルですか？', 'yama', '2148メートル'],
            ['若葉大橋を設計したのは誰ですか？', 'hashi', '村井花子'],
            ['若葉大橋はいつ開通しましたか？', 'hashi', '２００８年４月１２日'],
            ['紙の博物館はどこにありますか？', 'hakubutsu', '駅前'],
            ['鏡沼が冬でも凍らないのはなぜですか？', 'mizuumi', '温かい水'],
            ['透かしとは何ですか？', 'hakubutsu', '模様'],
            ['鏡沼の水深はどのくらいですか？', 'mizuumi', '38メートル'],
        ],
        silent: [
            '富士山の標高は何メートルですか？',
            '電話を発明したのは誰ですか？',
            'フランスの首都はどこですか？',
        ],
    },
};

// English pages of the same kind, for the index that holds everything.
export const ENGLISH = {
    pages: {
        peak: ['Harrow Peak', `Harrow Peak rises to 3,104 metres above the village of Tolmer. The first ascent was made by the surveyor Edith Crane in 1868.

A hut with 22 beds stands below the summit.`],
        ferry: ['The Lunda ferry', `The Lunda ferry carries 410 passengers and crosses the strait in 35 minutes. It was launched on 6 June 1997.

The ferry does not sail in storms because the harbour is shallow.`],
    },
    ask: [
        ['How high is Harrow Peak?', 'peak', '3,104'],
        ['Who first climbed Harrow Peak?', 'peak', 'Edith Crane'],
        ['When was the Lunda ferry launched?', 'ferry', '6 June 1997'],
    ],
};

// The pages as `cited index add` takes them: JSON lines.
export function pages_of(code, { pages }) {
    return Object.entries(pages).map(([name, [title, text]]) => ({
        url: `https://${code}.example/${name}`, title, text,
    }));
}
