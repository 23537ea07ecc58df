# What decay.py gives, compiled.
from thrawl.refresh.decay import SCALES as SCALES
from thrawl.refresh.decay import SLOWEST_RATE as SLOWEST_RATE
from thrawl.refresh.decay import Pulse as Pulse
from thrawl.refresh.decay import Week as Week
from thrawl.refresh.decay import span_until as span_until
from thrawl.refresh.decay import sum_of as sum_of
from thrawl.refresh.decay import worth as worth
