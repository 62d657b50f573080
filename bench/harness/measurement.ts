import type { Databases } from "./databases.ts";
import type { Figure } from "./figure.ts";

/** One script of the bench: starts what it measures, and stops it. */
export type Measurement = (databases: Databases) => Promise<Figure[]>;
