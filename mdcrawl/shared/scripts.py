"""What is done to the shared frontier in one step: Lua, which Redis runs without anybody in between.

Every script gets the prefix of the crawl's keys first. The keys, and what is in them:

    PREFIX:requests:SITE  sorted set: what waits for a site, as JSON, by score (low first)
    PREFIX:dupefilter     set: fingerprints of all that was ever queued
    PREFIX:sites          sorted set: sites with something queued, by the time of their next turn
    PREFIX:leases         sorted set: what is handed out, by the time at which it counts as lost
    PREFIX:leased         hash: how many of them each site has
    PREFIX:counts         hash: queued, stored; opened, begun, over; tick
    PREFIX:pace           hash: what is known of each site's pace, as JSON
    PREFIX:site:SITE      hash: last (the last request; by, before: whose, and the one before), chance (how
                          the delay after it varies), until (its rest)
    PREFIX:busy:SITE      sorted set: the requests that are under way, by the time they count as lost
    PREFIX:news           list: what workers told the others, as JSON

Times are seconds of Redis's own clock, so that those of the workers need not agree.
"""

from __future__ import annotations

# Score of what comes after all else of its site: what may prove a copy. Depths are far below.
LOW = 1_000_000

_HEAD = """
local prefix = ARGV[1]
local function key(name) return prefix .. ':' .. name end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6

local function enqueue(site, score, member)
  if redis.call('ZADD', key('requests:' .. site), 'NX', score, member) == 1 then
    redis.call('HINCRBY', key('counts'), 'queued', 1)
    redis.call('ZADD', key('sites'), 'NX', 0, site)
  end
end

local function end_lease(member, site)
  if redis.call('ZREM', key('leases'), member) == 0 then return false end
  if redis.call('HINCRBY', key('leased'), site, -1) <= 0 then redis.call('HDEL', key('leased'), site) end
  return true
end

local function give_back(member)
  if member == 'start' then return redis.call('ZREM', key('leases'), member) end
  local request = cjson.decode(member)
  if end_lease(member, request.site) then
    enqueue(request.site, -request.priority * LOW + request.depth, member)
  end
end

-- If nobody was heard of for a while, Redis was away: nobody could renew anything, and nothing is lost.
local function hear(lease_s)
  local tick = tonumber(redis.call('HGET', key('counts'), 'tick') or now)
  if now - tick > lease_s / 2 then
    for _, member in ipairs(redis.call('ZRANGE', key('leases'), 0, -1)) do
      redis.call('ZADD', key('leases'), now + lease_s, member)
    end
  end
  redis.call('HSET', key('counts'), 'tick', string.format('%.6f', now))
end

-- Whether what lies in the queue of a site is a request, as far as these scripts need it to be one.
local function is_request(member, site)
  local is_json, request = pcall(cjson.decode, member)
  return is_json and type(request) == 'table' and request.site == site
    and type(request.priority) == 'number' and type(request.depth) == 'number'
end

local function push(from)
  for i = from, #ARGV, 5 do
    local is_new = redis.call('SADD', key('dupefilter'), ARGV[i]) == 1
    if is_new or ARGV[i + 1] == '1' then enqueue(ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]) end
  end
end

-- When a site may be asked next: a delay after the last request, varied as Scrapy does, and after its rest.
local function allowed_at(site, state, min_delay, jitter)
  local delay, asked = min_delay, 0
  if state then
    local known = cjson.decode(state)
    asked = known.asked_delay_s
    delay = math.max(known.delay_s, asked)
  end
  local found = redis.call('HMGET', key('site:' .. site), 'last', 'chance', 'until')
  local at = 0
  if found[1] and delay > 0 then
    local varied = math.min(jitter, 1 - asked / delay)
    -- A Redis that was emptied knows when a request went out, not how the delay after it was to vary.
    at = found[1] + delay * (1 - varied + 2 * varied * (found[2] or 0.5))
  end
  return math.max(at, tonumber(found[3] or 0))
end

local function is_busy(site, concurrency)
  redis.call('ZREMRANGEBYSCORE', key('busy:' .. site), '-inf', now)
  return redis.call('ZCARD', key('busy:' .. site)) >= concurrency
end

local function grant(site, id, lease_s, chance)
  local before = redis.call('HGET', key('site:' .. site), 'last') or '0'
  local last = string.format('%.6f', now)
  redis.call('HSET', key('site:' .. site), 'last', last, 'by', id, 'before', before, 'chance', chance)
  redis.call('ZADD', key('busy:' .. site), now + lease_s, id)
end

local function resting_s(site)
  return tostring(math.max(tonumber(redis.call('HGET', key('site:' .. site), 'until') or 0) - now, 0))
end
""".replace("LOW", str(LOW))

# ARGV: prefix; then for each request its fingerprint, "1" to queue it again, site, score, JSON.
PUSH = _HEAD + "push(2)"

# ARGV: prefix, JSON, site, pages stored for it; then as for PUSH. What a page taught goes with its end.
SETTLE = (
    _HEAD
    + """
push(5)
if not end_lease(ARGV[2], ARGV[3]) and redis.call('ZREM', key('requests:' .. ARGV[3]), ARGV[2]) == 1 then
  redis.call('HINCRBY', key('counts'), 'queued', -1)
end
if ARGV[4] ~= '0' then redis.call('HINCRBY', key('counts'), 'stored', ARGV[4]) end
"""
)

# ARGV: prefix, seconds of a lease, least delay, jitter, concurrency, most pages, a random number from 0
# to 1, id of the permit; then the sites that are not wanted now. Returns one of
#   lost                       Redis knows nothing of the crawl
#   over                       nothing is left, or enough is stored
#   odd                        there was something that is no request; it is gone
#   page JSON state rest news a request, the pace of its site, for how many seconds that rests, and how
#                             much workers have told the others
#   wait seconds queued leased nothing yet
POP = (
    _HEAD
    + """
local lease_s, max_pages = tonumber(ARGV[2]), tonumber(ARGV[6])
if redis.call('HEXISTS', key('counts'), 'opened') == 0 then return {'lost'} end
if redis.call('HEXISTS', key('counts'), 'over') == 1 then return {'over'} end

hear(lease_s)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', key('leases'), '-inf', now, 'LIMIT', 0, 100)) do
  give_back(member)
end

local counts = redis.call('HMGET', key('counts'), 'queued', 'stored')
local leased = redis.call('ZCARD', key('leases'))
if max_pages > 0 and tonumber(counts[2] or 0) + leased >= max_pages then
  if leased == 0 then return {'over'} end
  return {'wait', '1', counts[1] or '0', tostring(leased)}
end

local unwanted = {}
for i = 9, #ARGV do unwanted[ARGV[i]] = true end
local soonest = 1
for _, site in ipairs(redis.call('ZRANGEBYSCORE', key('sites'), '-inf', now, 'LIMIT', 0, 64 + #ARGV)) do
  local queue = key('requests:' .. site)
  local first = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
  local state = redis.call('HGET', key('pace'), site)
  if not first[1] then
    redis.call('ZREM', key('sites'), site)
  elseif not is_request(first[1], site) then
    redis.call('ZREM', queue, first[1])
    return {'odd'}
  elseif unwanted[site] or is_busy(site, tonumber(ARGV[5])) then
    soonest = math.min(soonest, 0.05)
  elseif tonumber(first[2]) >= LOW and redis.call('HEXISTS', key('leased'), site) == 1 then
    soonest = math.min(soonest, 0.05)
  else
    local at = allowed_at(site, state, tonumber(ARGV[3]), tonumber(ARGV[4]))
    if at <= now then
      redis.call('ZREM', queue, first[1])
      redis.call('HINCRBY', key('counts'), 'queued', -1)
      redis.call('ZADD', key('leases'), now + lease_s, first[1])
      redis.call('HINCRBY', key('leased'), site, 1)
      redis.call('ZADD', key('sites'), now, site)
      grant(site, ARGV[8], lease_s, ARGV[7])
      return {'page', first[1], state or '', resting_s(site), tostring(redis.call('LLEN', key('news')))}
    end
    redis.call('ZADD', key('sites'), at, site)
  end
end
local following = redis.call('ZRANGE', key('sites'), 0, 0, 'WITHSCORES')
if following[2] then soonest = math.min(soonest, math.max(following[2] - now, 0.05)) end
return {'wait', tostring(soonest), counts[1] or '0', tostring(leased)}
""".replace("LOW", str(LOW))
)

# ARGV: prefix, site, id, seconds of a lease, least delay, jitter, concurrency, a random number from 0 to 1.
# Returns in how many seconds to ask again, "0" if the request may go out, and the site's pace as POP does.
PERMIT = (
    _HEAD
    + """
local site = ARGV[2]
local state = redis.call('HGET', key('pace'), site)
local at = allowed_at(site, state, tonumber(ARGV[5]), tonumber(ARGV[6]))
local wait = math.max(at - now, 0)
if is_busy(site, tonumber(ARGV[7])) then wait = math.max(wait, 0.02) end
if wait == 0 then grant(site, ARGV[3], tonumber(ARGV[4]), ARGV[8]) end
return {tostring(wait), state or '', resting_s(site)}
"""
)

# ARGV: prefix, site, id, seconds of a lease. The request goes out only now: its delay counts from here. Returns
# whether the permit is still good.
DATE = (
    _HEAD
    + """
local site = ARGV[2]
if is_busy(site, 1) and redis.call('ZADD', key('busy:' .. site), 'XX', 'CH', now + tonumber(ARGV[4]), ARGV[3]) == 1 then
  redis.call('HSET', key('site:' .. site), 'last', string.format('%.6f', now))
  return 1
end
return 0
"""
)

# ARGV: prefix, site, id, seconds since the request went out (-1: it never did), the site's pace as JSON or "",
# for how many seconds it is to rest.
RELEASE = (
    _HEAD
    + """
local site = ARGV[2]
local of_site = key('site:' .. site)
redis.call('ZREM', key('busy:' .. site), ARGV[3])
local age, rest = tonumber(ARGV[4]), tonumber(ARGV[6])
if age >= 0 and now - age > tonumber(redis.call('HGET', of_site, 'last') or 0) then
  redis.call('HSET', of_site, 'last', string.format('%.6f', now - age))
elseif age < 0 and redis.call('HGET', of_site, 'by') == ARGV[3] then
  redis.call('HSET', of_site, 'last', redis.call('HGET', of_site, 'before'))
end
if ARGV[5] ~= '' then redis.call('HSET', key('pace'), site, ARGV[5]) end
if rest > 0 and now + rest > tonumber(redis.call('HGET', of_site, 'until') or 0) then
  redis.call('HSET', of_site, 'until', string.format('%.6f', now + rest))
end
"""
)

# ARGV: prefix, seconds of a lease, how many leases follow, these; then site and id of each permit.
RENEW = (
    _HEAD
    + """
hear(tonumber(ARGV[2]))
local until_then = now + tonumber(ARGV[2])
local leases = tonumber(ARGV[3])
for i = 4, 3 + leases do redis.call('ZADD', key('leases'), 'XX', until_then, ARGV[i]) end
for i = 4 + leases, #ARGV, 2 do redis.call('ZADD', key('busy:' .. ARGV[i]), 'XX', until_then, ARGV[i + 1]) end
"""
)

# ARGV: prefix, how many leases follow, these; then site and id of each permit. A worker gives back what it has.
LEAVE = (
    _HEAD
    + """
local leases = tonumber(ARGV[2])
for i = 3, 2 + leases do give_back(ARGV[i]) end
for i = 3 + leases, #ARGV, 2 do redis.call('ZREM', key('busy:' .. ARGV[i]), ARGV[i + 1]) end
"""
)

# ARGV: prefix, pages stored so far. The crawl is known from now on.
OPEN = _HEAD + "redis.call('HSET', key('counts'), 'opened', 1, 'queued', 0, 'stored', ARGV[2])"

# ARGV: prefix. Returns what is queued, what is handed out, and 1 if all is there that the crawl starts from.
LEFT = (
    _HEAD
    + """
local queued = tonumber(redis.call('HGET', key('counts'), 'queued') or 0)
return {queued, redis.call('ZCARD', key('leases')), redis.call('HEXISTS', key('counts'), 'begun')}
"""
)

# ARGV: prefix. All workers may end.
OVER = _HEAD + "redis.call('HSET', key('counts'), 'over', 1)"

# ARGV: prefix, JSON. What a worker has learnt that all must know.
NEWS = _HEAD + "redis.call('RPUSH', key('news'), ARGV[2])"

# ARGV: prefix, seconds of a lease. Returns begun, taken or mine: who puts the start URLs into the frontier.
BEGIN = (
    _HEAD
    + """
if redis.call('HEXISTS', key('counts'), 'begun') == 1 then return 'begun' end
if redis.call('ZADD', key('leases'), 'NX', now + tonumber(ARGV[2]), 'start') == 0 then return 'taken' end
return 'mine'
"""
)

# ARGV: prefix. What was to be put into the frontier at the start is there.
BEGUN = (
    _HEAD
    + """
redis.call('HSET', key('counts'), 'begun', 1)
redis.call('ZREM', key('leases'), 'start')
"""
)

# ARGV: prefix, site. Whatever waits for a site is dropped.
DROP = (
    _HEAD
    + """
redis.call('HINCRBY', key('counts'), 'queued', -redis.call('ZCARD', key('requests:' .. ARGV[2])))
redis.call('DEL', key('requests:' .. ARGV[2]))
redis.call('ZREM', key('sites'), ARGV[2])
"""
)
