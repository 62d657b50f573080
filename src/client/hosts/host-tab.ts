export { hostSize, hostTitle } from "./host-facts";
