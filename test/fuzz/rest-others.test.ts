import { fuzzRestCalls } from "./rest-cases.ts";

fuzzRestCalls(({ path }) => !/^(hosts|configs)\./.test(path));
