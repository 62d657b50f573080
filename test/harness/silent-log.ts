import { createLog } from "../../src/server/platform/log.ts";

export const silentLog = createLog({ level: "silent", pretty: false });
