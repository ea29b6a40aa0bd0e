sub init()
  m.top.functionName = "report"
end sub

sub report()
  port = CreateObject("roMessagePort")
  m.top.video.observeField("state", port)
  m.url = m.top.origin + "/p/" + m.top.token + "/" + m.top.playbackId + "/events"
  m.session = CreateObject("roDeviceInfo").GetRandomUUID()
  m.number = 0 : m.asked = 0 : m.startup = -1 : m.watched = 0 : m.stalled = 0 : m.stalls = 0 : m.seen = 0
  m.clock = CreateObject("roTimespan") : m.sinceAsk = CreateObject("roTimespan")
  m.state = "d" : ticks = 0
  send("e=ps")
  while true
    message = wait(1000, port)
    count()
    ticks = ticks + 1
    if message <> invalid
      m.state = stateOf(message.getData())
      if message.getData() = "error"
        send("e=ce,cen=fail,com.vds-err=" + Chr(34) + "roku" + m.top.video.errorCode.ToStr() + Chr(34))
      else
        send("e=ps")
      end if
      if message.getData() = "stopped" then return
    else if m.state = "p" and ticks mod 10 = 0
      send("e=t")
    end if
  end while
end sub

function stateOf(state as string) as string
  if (state = "buffering" or state = "playing") and m.asked = 0
    m.asked = 1 : m.sinceAsk.Mark()
  end if
  if state = "playing"
    if m.startup < 0 then m.startup = m.sinceAsk.TotalMilliseconds()
    return "p"
  else if state = "buffering"
    if m.startup < 0 then return "s"
    m.stalls = m.stalls + 1
    return "r"
  else if state = "paused"
    return "a"
  else if state = "finished" or state = "stopped"
    return "e"
  end if
  return m.state
end function

sub count()
  passed = m.clock.TotalMilliseconds() : m.clock.Mark()
  if m.state = "r" then m.stalled = m.stalled + passed
  if m.state <> "p" then return
  m.watched = m.watched + passed
  if m.top.video.duration > 0
    part = Int(20 * m.top.video.position / m.top.video.duration)
    if part > 19 then part = 19
    m.seen = m.seen or (1 << part)
  end if
end sub

sub send(event as string)
  m.number = m.number + 1
  line = event + ",sta=" + m.state + ",sid=" + Chr(34) + m.session + Chr(34) + ",sn=" + m.number.ToStr() + ",v=2"
  line = line + ",com.vds-ask=" + m.asked.ToStr() + ",com.vds-w=" + m.watched.ToStr() + ",com.vds-st=" + m.stalled.ToStr()
  line = line + ",com.vds-sc=" + m.stalls.ToStr() + ",com.vds-seen=" + m.seen.ToStr()
  if m.startup >= 0 then line = line + ",com.vds-su=" + m.startup.ToStr()
  m.transfer = CreateObject("roUrlTransfer") ' kept until its answer comes
  m.transfer.SetCertificatesFile("common:/certs/ca-bundle.crt")
  m.transfer.SetUrl(m.url)
  m.transfer.AsyncPostFromString(line)
end sub
