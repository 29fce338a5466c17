"""The built-in families, in the order of lists and pages."""

from shadowtime.engine.families.classed.family import FAMILY as CLASSED
from shadowtime.engine.families.fractional.family import FAMILY as FRACTIONAL
from shadowtime.engine.families.moldable.family import FAMILY as MOLDABLE
from shadowtime.engine.families.multitask.family import FAMILY as MULTITASK
from shadowtime.engine.families.rigid.family import FAMILY as RIGID
from shadowtime.engine.families.two_tier.family import FAMILY as TWO_TIER

FAMILIES = (RIGID, TWO_TIER, FRACTIONAL, MOLDABLE, MULTITASK, CLASSED)
