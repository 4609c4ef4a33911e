import Surveillance from "../screens/Surveillance.svelte";
import { begin } from "./begin";

begin(Surveillance);
