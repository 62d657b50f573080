export { providerEndWarning } from "./assignment";
