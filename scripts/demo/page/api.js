/** Fetches JSON from this page's server. Throws the server's own message for an error. */
export const fetchJson = async (path) => {
  const response = await fetch(path);
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `${path} answered ${response.status}`);
  return body;
};

/** A path with the non-empty parameters. */
export const withQuery = (path, parameters) => {
  const said = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`;
};
