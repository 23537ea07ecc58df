# The types with which heads.py is compiled as _heads.
cimport cython

cdef class Entry:
    cdef public object key
    cdef public double wait
    cdef public double due
    cdef public double lateness
    cdef public bint is_over

@cython.locals(heap=list, entry=Entry, other=Entry, found=list, lateness=double, place=Py_ssize_t)
cpdef list latest_heads(list heaps, double now, Py_ssize_t most)
