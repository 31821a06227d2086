"""What MixPR's figures are called on a command line."""

ALPHA_SWEEP = "alpha"
K_SWEEP = "k"
TIME = "time"
ROUTER = "router"

FIGURE_NAMES = (ALPHA_SWEEP, K_SWEEP, TIME, ROUTER)
