/** Of the time from a request to its decision. */
export const PROMISE = "管理员将在 1-2 个工作日内处理";
