-- wrk -s wrk.lua URL -- FILE: sends the requests that FILE returns, in turn, and prints the results as JSON.

local requests, at = {}, 0

function init(arguments)
  requests = dofile(arguments[1])
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"responses":%d,"us":%d,"bytes":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
