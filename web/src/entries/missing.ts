import Missing from "../screens/Missing.svelte";
import { begin } from "./begin";

begin(Missing);
