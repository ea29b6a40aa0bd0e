import AVFoundation

/// One view. Keep it as long as the player; call `end()` when the viewer leaves.
final class ViewReporter {
  private let player: AVPlayer, events: URL, session = UUID().uuidString
  private var number = 0, stalls = 0, seen = 0
  private var askedAt: Date?, startup: Double?, watched = 0.0, stalled = 0.0, last = Date()
  private var observations: [NSKeyValueObservation] = [], timer: Timer?, was = "d"

  init(_ player: AVPlayer, origin: String, token: String, playbackId: String) {
    self.player = player
    events = URL(string: "\(origin)/p/\(token)/\(playbackId)/events")!
    observations = [
      player.observe(\.timeControlStatus) { [weak self] _, _ in self?.changed() },
      player.observe(\.currentItem?.status) { [weak self] player, _ in
        guard let error = player.currentItem?.error as NSError? else { return }
        self?.send("e=ce,cen=fail,com.vds-err=\"\(error.domain.prefix(40))\(error.code)\"")
      },
    ]
    timer = .scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.tick() }
    send("e=ps")
  }

  func end() { count(); send("e=ce,cen=hide"); timer?.invalidate(); observations = [] }

  private var state: String {
    switch player.timeControlStatus {
    case .playing: return "p"
    case .waitingToPlayAtSpecifiedRate: return startup == nil ? "s" : "r"
    default: return askedAt == nil ? "d" : "a"
    }
  }

  private func changed() {
    count()
    if player.timeControlStatus != .paused, askedAt == nil { askedAt = Date() }
    if player.timeControlStatus == .playing, startup == nil { startup = -(askedAt ?? Date()).timeIntervalSinceNow }
    if state == "r" { stalls += 1 }
    send("e=ps")
  }

  private func tick() {
    count()
    if player.timeControlStatus == .playing, Int(Date().timeIntervalSince1970) % 10 == 0 { send("e=t") }
  }

  /// Since the last call, in the state that it had; a second of a seek at most is taken for a wait.
  private func count() {
    let passed = -last.timeIntervalSinceNow
    last = Date()
    defer { was = state }
    if was == "r" { stalled += passed }
    guard was == "p", let item = player.currentItem else { return }
    watched += passed
    let part = 20 * player.currentTime().seconds / item.duration.seconds
    if part.isFinite { seen |= 1 << max(0, min(19, Int(part))) }
  }

  private func send(_ event: String) {
    number += 1
    let start = startup.map { ",com.vds-su=\(Int($0 * 1000))" } ?? ""
    let line = "\(event),sta=\(state),sid=\"\(session)\",sn=\(number),ts=\(Int(Date().timeIntervalSince1970 * 1000)),v=2"
      + ",com.vds-ask=\(askedAt == nil ? 0 : 1),com.vds-w=\(Int(watched * 1000)),com.vds-st=\(Int(stalled * 1000))"
      + ",com.vds-sc=\(stalls),com.vds-seen=\(seen)\(start)"
    var request = URLRequest(url: events)
    request.httpMethod = "POST"
    request.httpBody = Data(line.utf8)
    URLSession.shared.dataTask(with: request).resume()
  }
}
