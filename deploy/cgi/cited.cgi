#!/bin/sh
# cited as a plain CGI program: put this file where the web server runs CGI
# programs, executable. It names the data folder, which a web server's
# configuration often cannot.
#   @BINDIR@   folder of the programs cited.fcgi and cited-worker
#   @DATA@     data folder, outside of what the web server serves
# exec keeps descriptor 0, so that it serves mod_fcgid as well.
CITED_DATA_DIR="@DATA@"
export CITED_DATA_DIR
exec "@BINDIR@/cited.fcgi"
