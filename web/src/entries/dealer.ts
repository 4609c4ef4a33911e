import Dealer from "../screens/Dealer.svelte";
import { begin } from "./begin";

begin(Dealer);
