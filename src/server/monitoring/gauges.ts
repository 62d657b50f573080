import { Gauge, type Registry } from "prom-client";

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface GaugeDescription<Reading> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** No samples: the metric is absent, which is not the same as 0. */
  samples(reading: Reading): readonly Sample[];
}

/** Gauges that are filled when somebody scrapes, and absent while there is nothing to read. */
export function addGauges<Reading>(
  registry: Registry,
  read: () => Promise<Reading | null>,
  descriptions: readonly GaugeDescription<Reading>[],
): void {
  for (const { name, help, labelNames = [], samples } of descriptions) {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const reading = await read();
        this.reset();
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of reading === null ? [] : samples(reading)) this.set({ ...labels }, value);
      },
    });
  }
}

export function only(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ labels: {}, value }];
}
