/*
 * PDF files to text by pdftotext (poppler-utils), one process a file: no
 * environment, no descriptor but the file and the pipe, bounded in processor
 * time, memory and output, ended with the deadline.
 */
#ifndef CITED_RUN_PDF_H
#define CITED_RUN_PDF_H

#include "base/conf.h"
#include "page/document.h"

/* read.pdftotext of the configuration; the reader must outlive its users. */
void pdf_reader_init(struct pdf_reader *r, const struct conf *c);

#endif
