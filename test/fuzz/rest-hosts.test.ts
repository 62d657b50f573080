import { tellOfBadInput } from "./rest-stories.ts";

tellOfBadInput(({ path }) => /^(hosts|configs)\./.test(path));
