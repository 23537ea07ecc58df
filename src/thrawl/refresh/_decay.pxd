# The types with which decay.py is compiled as _decay; `math` is that of C there.
cimport cython
from libc cimport math

cdef class Week:
    cdef public list factors
    cdef public list cumulated
    cdef public double end
    cdef public double end_mass

    @cython.locals(rest=double)
    cpdef double at(self, double time)

    @cython.locals(rest=double, hour=int)
    cpdef double mass_to(self, double time)

    cpdef double mean(self, double start, double end)


cdef class Pulse:
    cdef public double moment
    cdef public double base
    cdef public double[6] amplitudes

    @cython.locals(passed=double, amplitude=double, amplitudes=cython.p_double, scales=tuple, k=int)
    cpdef void move(self, double now)

    @cython.locals(passed=double, scale=double, left=double, own=cython.p_double, amplitudes=cython.p_double, scales=tuple, k=int)
    cpdef void add_to(self, Pulse whole, double now)

    cpdef void still(self)

    @cython.locals(late=double, added=double, amplitude=double, amplitudes=cython.p_double, scales=tuple, k=int)
    cpdef void post(self, double time, tuple weights, int count=*)

    @cython.locals(passed=double, amplitude=double, total=double, amplitudes=cython.p_double, scales=tuple, k=int)
    cpdef double rate(self, double now)

    @cython.locals(before=double, span=double, posts=double, amplitude=double, scale=double, amplitudes=cython.p_double, scales=tuple, k=int)
    cpdef double expected(self, double since, double now)

    @cython.locals(
        before=double, span=double, posts=double, rate=double, amplitude=double, scale=double, lost=double,
        amplitudes=cython.p_double, scales=tuple, k=int,
    )
    cpdef (double, double) outlook(self, double since, double now)


@cython.locals(pulse=Pulse, whole=Pulse)
cpdef Pulse sum_of(list pulses, double base, double now)

@cython.locals(posts=double, rate=double)
cpdef double worth(Pulse pulse, Week week, double since, double now)

@cython.locals(span=double, rate=double, now_worth=double, grown=double)
cpdef double span_until(double price, Pulse pulse, Week week, double since, double guess)
