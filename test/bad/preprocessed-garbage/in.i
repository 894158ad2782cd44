 garbage {{{
