import Sign from "../screens/Sign.svelte";
import { begin } from "./begin";

begin(Sign);
