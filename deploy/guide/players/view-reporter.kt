/** One view. Add it to the player before `prepare()`; call `end()` when the viewer leaves. */
class ViewReporter(private val player: ExoPlayer, origin: String, token: String, playbackId: String) : Player.Listener {
  private val events = URL("$origin/p/$token/$playbackId/events")
  private val session = UUID.randomUUID().toString()
  private val stats = PlaybackStatsListener(false, null)
  private val handler = Handler(player.applicationLooper)
  private val sender = Executors.newSingleThreadExecutor()
  private var number = 0
  private var seen = 0
  private var askedAt = 0L
  private var startup = -1L

  init {
    player.addAnalyticsListener(stats)
    player.addListener(this)
    send("e=ps")
    handler.postDelayed(::tick, 1_000)
  }

  override fun onPlayWhenReadyChanged(playWhenReady: Boolean, reason: Int) = changed()
  override fun onPlaybackStateChanged(state: Int) = changed()
  override fun onIsPlayingChanged(isPlaying: Boolean) = changed()
  override fun onPlayerError(error: PlaybackException) = send("e=ce,cen=fail,com.vds-err=\"${error.errorCodeName}\"")

  fun end() {
    send("e=ce,cen=hide")
    handler.removeCallbacksAndMessages(null)
    player.removeListener(this)
    sender.shutdown()
  }

  private fun changed() {
    if (player.playWhenReady && askedAt == 0L) askedAt = SystemClock.elapsedRealtime()
    if (player.isPlaying && startup < 0) startup = SystemClock.elapsedRealtime() - askedAt
    send("e=ps")
  }

  private fun tick() {
    if (player.isPlaying && player.duration > 0)
      seen = seen or (1 shl (20 * player.currentPosition / player.duration).toInt().coerceIn(0, 19))
    if (player.isPlaying && System.currentTimeMillis() / 1_000 % 10 == 0L) send("e=t")
    handler.postDelayed(::tick, 1_000)
  }

  private fun state() = when {
    player.isPlaying -> "p"
    player.playbackState == Player.STATE_ENDED -> "e"
    !player.playWhenReady -> if (askedAt == 0L) "d" else "a"
    else -> if (startup < 0) "s" else "r"
  }

  private fun send(event: String) {
    number += 1
    val counted = stats.playbackStats
    val line = "$event,sta=${state()},sid=\"$session\",sn=$number,ts=${System.currentTimeMillis()},v=2" +
      ",com.vds-ask=${if (askedAt == 0L) 0 else 1},com.vds-w=${counted?.totalPlayTimeMs ?: 0}" +
      ",com.vds-st=${counted?.totalRebufferTimeMs ?: 0},com.vds-sc=${counted?.totalRebufferCount ?: 0}" +
      ",com.vds-seen=$seen" + if (startup < 0) "" else ",com.vds-su=$startup"
    sender.execute {
      runCatching {
        val connection = events.openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        connection.doOutput = true
        connection.outputStream.use { it.write(line.toByteArray()) }
        connection.responseCode
      }
    }
  }
}
