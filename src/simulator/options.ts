/** The sample key pair of the provider's own documentation; every published signature vector uses it. It opens no real account. */
export const MAIN_KEYS = {
  publicKey: "ucloudsomeone@example.com1296235120854146120",
  privateKey: "46f09bb9fab4f12dfc160dae12273d5332b5debe",
} as const;

/** A sub-account of the same company: no listing of regions or projects, and `ProjectId` is mandatory. */
export const SUB_KEYS = {
  publicKey: "ucloudsub+demo@example.com/1296235120854146121==",
  privateKey: "9d3c5f0a7be14d2286c1f4e0ab57d9c8130e62f7",
} as const;

/** What a simulated account looks like and how its gateway behaves. Everything has a default. */
export interface SimulatorOptions {
  /** TCP port on 127.0.0.1; 0 (default) picks a free one. */
  port?: number | undefined;
  /** Hosts over all projects and opened regions, 0…100,000. Default 1,200. */
  hosts?: number | undefined;
  /** Same seed (and same day) → the same world, byte for byte. Default 1. */
  seed?: number | undefined;
  /** Number of projects, 1…100. Default 3. */
  projects?: number | undefined;
  /** Opened regions: a list of codes, or the n busiest. Default: all but seven far ones. The others answer 230. */
  regions?: number | readonly string[] | undefined;
  /** Time every call takes, in ms. Default 0. */
  latencyMs?: number | undefined;
  /** Random extra time on top of `latencyMs`, 0…jitterMs. Default 0. */
  jitterMs?: number | undefined;
  publicKey?: string | undefined;
  privateKey?: string | undefined;
  /** Calls per second and key beyond which the answer is RetCode 153. Default: no limit. */
  rateLimitPerSecond?: number | undefined;
  /** The listing shifts by this many hosts after each page, so pages overlap and skip. Default 0. */
  pageDrift?: number | undefined;
  /** "Now" of the world in Unix seconds; creation and expiry are spread around it. Default: midnight UTC today. */
  now?: number | undefined;
}

/** {@link SimulatorOptions} with every default filled in. */
export interface Settings {
  port: number;
  hosts: number;
  seed: number;
  projects: number;
  regions: number | readonly string[] | undefined;
  latencyMs: number;
  jitterMs: number;
  publicKey: string;
  privateKey: string;
  rateLimitPerSecond: number;
  pageDrift: number;
  now: number;
}

export function resolveOptions(options: SimulatorOptions): Settings {
  const settings: Settings = {
    port: options.port ?? 0,
    hosts: options.hosts ?? 1200,
    seed: options.seed ?? 1,
    projects: options.projects ?? 3,
    regions: options.regions,
    latencyMs: options.latencyMs ?? 0,
    jitterMs: options.jitterMs ?? 0,
    publicKey: options.publicKey ?? MAIN_KEYS.publicKey,
    privateKey: options.privateKey ?? MAIN_KEYS.privateKey,
    rateLimitPerSecond: options.rateLimitPerSecond ?? Number.POSITIVE_INFINITY,
    pageDrift: options.pageDrift ?? 0,
    now: options.now ?? Math.floor(Date.now() / 86_400_000) * 86_400,
  };
  requireInteger("hosts", settings.hosts, 0, 100_000);
  requireInteger("projects", settings.projects, 1, 100);
  requireInteger("seed", settings.seed, 0, 0xffff_ffff);
  requireInteger("pageDrift", settings.pageDrift, 0, 100_000);
  return settings;
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}`);
  }
}
