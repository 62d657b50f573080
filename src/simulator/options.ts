import { z } from "zod";

/** The sample key pair of the provider's documentation, which its signature examples use. */
export const MAIN_KEYS = {
  publicKey: "ucloudsomeone@example.com1296235120854146120",
  privateKey: "46f09bb9fab4f12dfc160dae12273d5332b5debe",
} as const;

/** A sub-account of the same company. */
export const SUB_KEYS = {
  publicKey: "ucloudsub+demo@example.com/1296235120854146121==",
  privateKey: "9d3c5f0a7be14d2286c1f4e0ab57d9c8130e62f7",
} as const;

/** Accounts of other companies. Each has a project and a balance of its own. */
export const OTHER_KEYS = [
  {
    publicKey: "ucloudfinance@example.org1296235120854157233",
    privateKey: "1be0c7d5a96f4e83b2d10c58f7a3e94d6b80215c",
  },
  {
    publicKey: "ucloudtesting@example.org1296235120854168344",
    privateKey: "73c4f2a80d9e61b5c8f7340ea12d96b5f08e7a41",
  },
  {
    publicKey: "ucloudpartner@example.net1296235120854179455",
    privateKey: "c05d8e3f7b1a492e6d0f58a4c7b93e12d6f8a075",
  },
] as const;

/** The simulated account; every option has a default. */
export const SimulatorOptions = z.strictObject({
  /** TCP port on 127.0.0.1; 0 picks a free one. */
  port: z.int().min(0).max(65_535).default(0),
  /** Hosts over all projects and opened regions. */
  hosts: z.int().min(0).max(100_000).default(1200),
  /** The same seed and day give the same hosts. */
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  projects: z.int().min(1).max(1000).default(3),
  /** Opened regions: their codes, or the number of the largest. Default: all but seven. */
  regions: z.union([z.int().min(1), z.array(z.string()).readonly()]).optional(),
  /** Duration of every call, in ms. */
  latencyMs: z.number().min(0).default(0),
  /** Random addition to `latencyMs`, 0…jitterMs. */
  jitterMs: z.number().min(0).default(0),
  /**
   * `fixed`: the time of the world stands still until a test moves it. `system`: it goes on with
   * the machine's, as the provider's does.
   */
  clock: z.enum(["fixed", "system"]).default("fixed"),
  /** When the world begins, in Unix seconds. Default: today, midnight UTC. */
  now: z.int().default(() => Math.floor(Date.now() / 86_400_000) * 86_400),
});
export type SimulatorOptions = z.input<typeof SimulatorOptions>;
export type Settings = z.output<typeof SimulatorOptions>;
