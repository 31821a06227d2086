"""Words of other languages that English has too, or people bear: alone they tell no translation."""

from __future__ import annotations

import re

ENGLISH_TOO = frozenset(
    re.findall(
        r"\w+",
        """
        a ago air al alt am amber ape ar aria art arte arts as at atlas austria ay bacon bal bed
        beer berg berk bi big bock bok bonde boom boot borg bougie brand brief bro bronze brood but
        butter buz cairo cake canada cane cartagena carte cave cha chaise chat chin china chine
        chocolate chou cobalt cologne constance constipation damp danube dark de del den deri di do
        doctor dry du eau ek elba elbe eld elden england essence est estate et fare fart fatigue fee
        fig fil finland fiskar florence france fuego får gist glace gold golden gran gri gris gross
        gul ham hammer hat hav haven hen holland hospital hut il inci india indigo is island japan
        jerusalem kaka kale kapot kappa kar kara kek kip klein ko kol kor korn kova kule kum kung
        kurt la ladder lamp lana lang lard large latin le leer len lila lin lind linde linden lino
        lins list lit livre london long luna mandel mar mare matin matta maya mel mer meuse mexico
        milan milch mina mist mor mora mosa moselle most mug mule mulo mum munich mus naples nausea
        negro new nil nova nuremberg ny oca old olive opal or orange ore orm ost ours pain pan pane
        papa para paris pastor pays peer pepe pera pere perla perle piano pies pil pin pino pipa
        piraeus pita plot port portugal pot prague professor pulver rame raven re reno rep ring rio
        ris rock rode roma roman romania rome rood rook room ros rosa rose rosen rot rota ruder
        russia sale salsa sauce saw school seco see serpent sino sis slang small smed smyrna sol
        sole spann spar speck stein stella ster stol storm sur syd table tak tall tan tapis tarih te
        thames thee tilo tim timo tin ton topt torn tour toz trompe tuba turin ukraine un us usa uva
        val vapor varg vent vide viena vienna vind vine viola violet vis vista volga w was water weg
        wet wind winter wit wolf worm worst zee zinn zon
        """,
    )
)
