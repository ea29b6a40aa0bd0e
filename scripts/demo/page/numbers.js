/** Measured bandwidth, buffer and dropped frames, twice a second, with a graph of the last minute. */
const element = (id) => document.getElementById(id);
const POINTS = 120;

const bufferedAhead = ({ buffered, currentTime }) => {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index))
      return buffered.end(index) - currentTime;
  }
  return 0;
};

export const showNumbers = (hls, video) => {
  const history = [];
  setInterval(() => {
    const megabits = hls.bandwidthEstimate / 1e6;
    element('bandwidth').textContent = Number.isFinite(megabits) ? `${megabits.toFixed(1)} Mb/s` : '–';
    element('buffer').textContent = `${bufferedAhead(video).toFixed(1)} s`;
    element('dropped').textContent = String(video.getVideoPlaybackQuality().droppedVideoFrames);
    if (!Number.isFinite(megabits)) return;
    history.push(megabits);
    if (history.length > POINTS) history.shift();
    const top = Math.max(...history, 1);
    const points = history.map((value, index) => `${POINTS - history.length + index},${34 - (value / top) * 30}`);
    element('graph').firstElementChild.setAttribute('points', points.join(' '));
  }, 500);
};
