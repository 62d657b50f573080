import { createLog } from "../../src/server/core/log.ts";

export const silentLog = createLog({ level: "silent", pretty: false });
