/** The status record: title, state, thumbnail, and the whole of it as JSON. */
const element = (id) => document.getElementById(id);

export const showRecord = (record) => {
  document.title = `${record.title} · player`;
  element('title').textContent = record.title;
  element('status').textContent = record.status;
  element('status').dataset.status = record.status;
  element('video-id').textContent = record.id;
  element('record').textContent = JSON.stringify(record, null, 2);
  const thumbnail = record.playback?.thumbnail_url;
  if (thumbnail === undefined) return;
  element('thumbnail').src = thumbnail;
  element('thumbnail').hidden = false;
  element('video').poster = thumbnail;
};
