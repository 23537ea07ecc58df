"""placeholder docstring."""

from __future__ import annotations

import heapq
from math import sqrt
from typing import Final

from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.excitation import Excitation, Pulse
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import (
    ENTRY_PAGE, FEED_HEAD, EntryShown, History, PageKind, PageRef, PostsShown, RowsShown, Shown, Site,
)
from thrawl.refresh.rhythm import Rhythm, DAY, HOUR
import numpy as np

PULSE_DAYS = 200

class Ours:
    HOLD = 1.0
    DIRECT = 1.0
    MEMORY = 100

    def begin(self, site, history, now):
        self.site = site
        self.holdings = Holdings(history, site.posts_per_page)
        self.rhythm = Rhythm().fit(history.time)
        self.exc = Excitation().fit(history.thread, history.time, self.rhythm)
        self.step = site.seconds_per_request
        self.pulses = {}
        self.boards = {b: Pulse(now) for b in site.boards}
        self.whole = Pulse(now)
        self.observed = {b: now for b in site.boards}
        self.entry_observed = now
        self.seen_at = {}   # thread -> when last observed
        self.known = {b: 0 for b in site.boards}
        for e in self.holdings.threads.values():
            self.known[e.board] += e.told
        self.shown_posts = {}
        first = {}
        n60 = {b: 0 for b in site.boards}
        for b, t, tm in zip(history.board.tolist(), history.thread.tolist(), history.time.tolist()):
            if tm > now - PULSE_DAYS*DAY:
                self.boards[b].post(tm, self.exc)
                self.whole.post(tm, self.exc)
                self._pulse(t, tm).post(tm, self.exc)
                if t not in first and tm > now-60*DAY: n60[b] += 1
            first.setdefault(t, tm)
        span = min(60*DAY, max(DAY, now - (history.time[0] if len(history.time) else now)))
        for b in site.boards:
            self.boards[b].base = (n60[b]+0.5)/span
            if not site.has_index_rows:
                self.boards[b].amplitudes = [0.0]*len(self.boards[b].amplitudes)
        self.whole.base = sum(n60.values())/span
        self.flips = []
        self.ready = []    # heap of (-score, time, thread)
        self.queued = {}   # thread -> score in heap
        self.agenda = Agenda()
        self.arms_t0 = {}
        rate = self.whole.rate(now)
        k = 1 if (site.has_feed or site.has_entry_rows) else len(site.boards)
        self.price = Price(rate/k*(k*self.step*1.3)**2/2, memory=self.MEMORY)
        self.stats = {}
        if not (site.has_feed or site.has_entry_rows):
            for b in site.boards:
                self._schedule(PageRef(PageKind.INDEX, b, 1), now)
        if not site.has_index_rows:
            for t,e in self.holdings.threads.items():
                self._pulse(t, e.held_time)
                self.seen_at[t] = now
                self._schedule(PageRef(PageKind.POSTS, t, 0), now)

    def _pulse(self, t, tm):
        p = self.pulses.get(t)
        if p is None:
            p = self.pulses[t] = Pulse(tm, 1/(50000*DAY))
        return p

    # --- scores
    def _state(self, ref):
        if ref.kind is PageKind.INDEX:
            return self.boards[ref.list], max(self.observed[ref.list], self.entry_observed)
        return self.pulses[ref.list], self.seen_at[ref.list]

    def _score(self, ref, now):
        pulse, t0 = self._state(ref)
        if now <= t0: return 0.0
        return self.rhythm.mean(t0, now)*pulse.expected(t0, now)[1]

    def _schedule(self, ref, now):
        pulse, t0 = self._state(ref)
        pulse.move(min(now, t0) if t0>pulse.moment else pulse.moment)
        self.agenda.schedule(ref, self._due(pulse, t0, now))

    def _due(self, pulse, t0, now):
        target = self.price.value
        span = sqrt(2*target/max(pulse.rate(t0)*self.rhythm.at(now), 1e-12))
        for _ in range(6):
            worth = self.rhythm.mean(t0, t0+span)*pulse.expected(t0, t0+span)[1]
            ratio = target/max(worth, 1e-300)
            if 0.9 < ratio < 1.1: break
            span *= min(max(sqrt(ratio), 0.25), 8.0)
        return t0+span

    # --- choose
    def choose(self, now):
        if self.flips: return self.flips.pop()
        while self.ready:
            neg, tm, t = self.ready[0]
            if self.queued.get(t) == -neg:
                return self.holdings.next_page(t)
            heapq.heappop(self.ready)
        if self.site.has_entry_rows and not self.site.has_feed:
            b = self._board_with_most_unseen()
            if b is not None: return PageRef(PageKind.INDEX, b, 1)
        return self._poll(now)

    def _poll(self, now):
        found = self.agenda.best(lambda r: self._score(r, now)) if len(self.agenda) else None
        if self.site.has_feed or self.site.has_entry_rows:
            t0=self.entry_observed
            cnt, worth = self.whole.expected(t0, now)
            m = self.rhythm.mean(t0, now)
            score = m*worth
            ref = FEED_HEAD if self.site.has_feed else ENTRY_PAGE
            if not self.site.has_feed:
                score, ref = self._entry_or_board(now, m*cnt, score)
            if found is None or found[1] < score:
                self.price.paid(score); return ref
        ref, score = found
        self.price.paid(score)
        if ref.kind is PageKind.POSTS:
            self.stats['direct']=self.stats.get('direct',0)+1
            return self.holdings.next_page(ref.list)
        return ref

    def _entry_or_board(self, now, count, score):
        b = max(self.boards, key=lambda b: self.boards[b].rate(now)) if len(self.boards)<4 else None
        h = sum((p.rate(now))**2 for p in self.boards.values())/max(sum(p.rate(now) for p in self.boards.values()),1e-12)**2 if now>getattr(self,'_ht',0) else self._h
        if now>getattr(self,'_ht',0): self._ht=now+3600; self._h=h
        score /= 1+min(count*count*h/2, count/2)
        if b is not None:
            ref = PageRef(PageKind.INDEX,b,1)
            s = self._score(ref, now)
            if s >= score: return s, ref
        return score, ENTRY_PAGE

    def _board_with_most_unseen(self):
        best=None; most=0
        for b, n in self.shown_posts.items():
            u=n-self.known[b]
            if u>most: best,most=b,u
        return best

    # --- observe
    def observe(self, now, ref, shown):
        if isinstance(shown, EntryShown): self._read_entry(now, shown)
        elif isinstance(shown, RowsShown): self._read_rows(now, ref, shown)
        else: self._read_posts(now, ref, shown)

    def _told(self, board, n, tm):
        self.known[board] = self.known.get(board,0)+n
        if self.site.has_index_rows:
            self.boards[board].post(tm, self.exc, n)
        self.whole.post(tm, self.exc, n)

    def _read_entry(self, now, shown):
        self.entry_observed = now
        for i, b in enumerate(shown.boards):
            posts=shown.posts[i]
            if self.shown_posts.get(b) == posts: continue
            self.shown_posts[b]=posts
            if posts <= self.known[b]: continue
            if shown.last_threads is not None:
                t=shown.last_threads[i]; tm=shown.last_times[i]
                if self.holdings.tell(t, b, tm):
                    self._told(b, 1, tm)
                    self._enqueue(t, now)

    def _read_rows(self, now, ref, shown):
        news = list(self.holdings.read_rows(ref.list, shown, now=now))
        if ref.kind is PageKind.INDEX and ref.page==1:
            self.observed[ref.list]=now
        elif ref.kind is PageKind.FEED: self.entry_observed=now
        for row in news:
            self._told(self.holdings.threads[row.thread].board, row.posts, row.time)
            self._enqueue(row.thread, now)
        if news and news[-1].thread == shown.threads[-1] and ref.page < shown.pages:
            self.flips.append(ref._replace(page=ref.page+1))
        elif ref.kind is PageKind.INDEX:
            if ref.list in self.shown_posts: self.shown_posts[ref.list]=min(self.shown_posts[ref.list],self.known[ref.list])
        if ref.kind is PageKind.INDEX and ref in self.agenda:
            self._schedule(ref, now)

    def _enqueue(self, t, now):
        e=self.holdings.threads[t]
        n=self.holdings.waiting_on_next_page(t)
        if n<=0: self.queued.pop(t,None); return
        p=self._pulse(t, e.told_time)
        r=p.rate(now)*self.rhythm.at(now)
        lam=self.price.value*self.HOLD
        if n*(n+1)/2 < lam*r and e.waiting<self.site.posts_per_page:
            # hot: wait
            self.stats['held']=self.stats.get('held',0)+1
            self.queued.pop(t,None)
            self.seen_at[t]=max(self.seen_at.get(t,0), p.moment)
            wait=min(HOUR*3, max(self.step, (1/r)*0.5))
            self.agenda.schedule(PageRef(PageKind.POSTS,t,0), now+wait)
            return
        score=n-min(lam*r,n-0.01)
        if self.queued.get(t)!=score:
            self.queued[t]=score
            heapq.heappush(self.ready,(-score, e.told_time, t))

    def _read_posts(self, now, ref, shown):
        t=ref.list
        e=self.holdings.threads[t]
        told=e.told
        new=self.holdings.read_posts(ref, shown)
        p=self._pulse(t, new[0] if new else e.held_time)
        for tm in new: p.post(tm, self.exc)
        if e.told>told: self._told(e.board, e.told-told, e.told_time)
        elif e.told<told: self.known[e.board]-=told-e.told
        self.seen_at[t]=now
        self._enqueue(t, now)
        arm=PageRef(PageKind.POSTS,t,0)
        if self._deserves(t,p,now): self._schedule(arm, now)
        else: self.agenda.remove(arm)

    def _deserves(self, t, p, now):
        if not self.site.has_index_rows: return True
        x=self.price.value*p.rate(now)*self.rhythm.at(now)
        if x<0.5*self.DIRECT: return False
        share=min(1,p.rate(now)/max(1e-12,self.boards[self.holdings.threads[t].board].rate(now) if not self.site.has_entry_rows else self.whole.rate(now)))
        return x > self.DIRECT*(sqrt(2)-sqrt(share/2))**2
