"""Words of other languages that English has too, or people bear: alone they tell no translation."""

from __future__ import annotations

import re

ENGLISH_TOO = frozenset(
    re.findall(
        r"\w+",
        """
        a ago air al alt am amber ape ar aria art arte arts as at atlas austria ay bacon bal bed beer berk
        big bock boom boot bougie brand brief bronze brood but butter buz cairo cake canada cane cartagena
        carte cave cha chaise chat chin china chine chocolate chou cobalt cologne constance constipation
        damp danube dark de del den deri di do doctor dry du eau elba elbe england essence est estate et
        fare fart fatigue fee fig fil finland florence france fuego gist glace gold golden gri gross ham
        hammer haven hen holland hospital hut il inci india indigo island japan jerusalem kale kapot kar
        kara kek kip klein kova kule kum kurt la ladder lamp lana lang lard large latin le leer len lin
        linde lino list lit livre london long luna mar mare matin maya mel mer meuse mexico milan milch
        mina mist mor mora mosa moselle most mug mule mulo mum munich naples nausea negro new nil nova
        nuremberg oca old olive opal or orange ore ours pain pan pane papa para paris pastor pays peer
        pepe pera pere perla perle piano pies pin pino piraeus pita plot port portugal pot prague
        professor rame raven re reno ring rio rode roma roman romania rome rood rook room rosa rose rot
        rota ruder russia sale salsa sauce saw school seco see serpent sino sis slang small smyrna sol
        sole spar speck stein stella ster storm sur table tan tapis tarih thames thee tilo tim timo tin
        ton topt tour toz trompe tuba turin ukraine un us usa uva vapor vent viena vienna vine viola
        violet vis vista volga w was water weg wet wind winter wit wolf worm worst zee zinn zon
        """,
    )
)
