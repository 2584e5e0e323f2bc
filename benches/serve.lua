-- Asks a running `wherein serve` distinct questions, for wrk:
--   QUESTIONS=questions.txt MODE=hybrid wrk -t2 -c32 -d30s --latency -s benches/serve.lua http://127.0.0.1:7878
-- One question a line. Answers other than 200 and 429 are counted as errors. Must not ask the same question twice
-- before all have been asked.
local questions, mode = {}, os.getenv("MODE") or "hybrid"
for line in io.lines(os.getenv("QUESTIONS")) do
  local escaped = line:gsub("[^%w]", function(c) return string.format("%%%02X", string.byte(c)) end)
  questions[#questions + 1] = "/api/search?mode=" .. mode .. "&q=" .. escaped
end
local threads = {}
function setup(thread)
  thread:set("offset", #threads)
  threads[#threads + 1] = thread
end
function init()
  at, refused, failed = offset * math.floor(#questions / 2), 0, 0
end
function request()
  at = at % #questions + 1
  return wrk.format("GET", questions[at])
end
function response(status)
  if status == 429 then refused = refused + 1 elseif status ~= 200 then failed = failed + 1 end
end
function done(summary, latency)
  local refused, failed = 0, 0
  for _, thread in ipairs(threads) do
    refused, failed = refused + thread:get("refused"), failed + thread:get("failed")
  end
  io.write(string.format("%s: %.0f questions/s, p50 %.1f ms, p99 %.1f ms, max %.0f ms, refused %d, failed %d\n", mode,
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3, refused, failed))
end
