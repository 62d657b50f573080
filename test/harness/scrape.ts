/** Parses /metrics. */
export async function scrape(url: string, token: string) {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text}`);
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  const lines = [...text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/gm)];
  const samples = lines.map(([, name = "", labels = "", value]) => {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", text = ""]) => [
      key,
      text,
    ]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
  return {
    /** Every metric with a `# TYPE` line. */
    types,
    /** The sum of the samples with these labels, or null without any. */
    value(name: string, labels: Readonly<Record<string, string>> = {}): number | null {
      const found = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
      );
      return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}
