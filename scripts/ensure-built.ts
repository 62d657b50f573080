import { ensureBuilt } from "./builds.ts";

await ensureBuilt();
