import { ensureConsole } from "./console-build.ts";

await ensureConsole();
