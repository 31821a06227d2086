"""Words of other languages that English has too, or people bear: alone they tell no translation."""

from __future__ import annotations

import re

ENGLISH_TOO = frozenset(
    re.findall(
        r"\w+",
        """
        a ago al am amber ape arts as at atlas austria bacon bal bed beer berk bock boom boot bougie brief
        bronze brood but butter cairo cake canada cane cartagena carte cave cha chaise chat chin china
        chine chocolate chou cobalt cologne constance constipation damp danube de del den deri di do
        doctor du eau elba elbe england essence est estate et fare fart fatigue fee fig fil finland
        florence france gist gold golden gri ham hammer haven hen holland hospital hut il inci india
        indigo island japan jerusalem kale kara kek kip kova kule kum kurt la ladder lamp lana lard le
        leer len lin linde lino list lit livre london luna mar mare matin maya mel meuse mexico milan
        milch mina mist mor mora mosa moselle most mug mule mulo mum munich naples nausea negro nil
        nuremberg oca olive opal or orange ore ours pain pan pane papa para paris pastor pays peer pepe
        pera pere perla perle pies pin pino piraeus pita port portugal pot prague professor rame raven re
        reno ring rode roma romania rome rood rook room rosa rose rot rota ruder russia sale salsa sauce
        school see serpent sino sis slang smyrna spar speck stein sur table tan tapis thames thee tilo tim
        timo tin ton topt tour toz turin ukraine un us usa uva vapor viena vienna vine viola violet vis
        volga w was water winter wit wolf worm worst zee zinn
        """,
    )
)
